import type { ResolvedColumn } from '../../../sql/resolved/column.ts';
import type { ResolvedNode } from '../../../sql/resolved/resolved-node.ts';
import type { UsedFields } from '../../../sql/used-fields.ts';
import type { Emitted, Expression } from '../expression.ts';
import type { EmitContext } from './context.ts';
import type { CteScope } from './cte-scope.ts';
import type { ColumnUses } from './flat/column-uses.ts';
import type { Form } from './flat/form.ts';
import type { UsedLeaves } from './flat/used-leaves.ts';
import type { LambdaScope } from './lambda-scope.ts';
import type { Relation } from './relation.ts';

/** What the emitters of the node kinds share: the way down the tree. */
export interface Emitter {
  readonly context: EmitContext;
  readonly ctes: CteScope;
  readonly lambdas: LambdaScope;
  /** The scan of the whole statement; undefined for an expression by itself. */
  readonly root: ResolvedNode | undefined;
  /** The ids of columns that a table scan leaves to be read when the rows of the result are known. */
  readonly late: ReadonlySet<number>;
  /** What the whole statement uses. */
  readonly uses: ColumnUses;
  /** The positions of the elements that are used of an array column; undefined where more of it is used. */
  usedElements(column: ResolvedColumn): ReadonlySet<number> | undefined;
  /** What the whole statement uses of a column. */
  usedFields(column: ResolvedColumn): UsedFields;
  /** The columns that hold fields of records by themselves. */
  readonly fieldColumns: Set<string>;
  readonly leaves: UsedLeaves;
  /** In which form tables are read. */
  readonly form: Form;
  /** Scans that were found to have no flat form. */
  readonly notFlat: ReadonlySet<ResolvedNode>;
  scan(node: ResolvedNode): Relation;
  /** The rows of a query within an expression. */
  subquery(node: ResolvedNode): Relation;
  /** @param column the column that the expression computes, where it computes one */
  expression(node: ResolvedNode, column?: ResolvedColumn): Emitted;
}

export type ScanEmitter = (node: ResolvedNode, emitter: Emitter) => Relation;
export type ExpressionEmitter = (
  node: ResolvedNode,
  emitter: Emitter,
  column: ResolvedColumn | undefined,
) => Expression;
