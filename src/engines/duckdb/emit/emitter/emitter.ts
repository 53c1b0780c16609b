import type { UsedFields } from '../../../../sql/plan/used-fields.ts';
import type { AnyNode } from '../../../../sql/resolved/node.ts';
import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import type { ResolvedColumn } from '../../../../sql/resolved/result-columns.ts';
import type { Emitted, Expression } from '../../dialect/expression.ts';
import type { ColumnUses } from '../tree/column-uses.ts';
import type { EmitContext } from './context.ts';
import type { CteScope } from './cte-scope.ts';
import type { Form } from './form.ts';
import type { LambdaScope } from './lambda-scope.ts';
import type { Relation } from './relation.ts';
import type { UsedLeaves } from './used-leaves.ts';

/** The shared interface of the emitters for each kind of node. */
export interface Emitter {
  readonly context: EmitContext;
  readonly ctes: CteScope;
  readonly lambdas: LambdaScope;
  /** The scan of the whole statement. Undefined for a single expression. */
  readonly root: ResolvedNode | undefined;
  /** The ids of columns of a table scan that are read after the result's rows are known. */
  readonly late: ReadonlySet<number>;
  /** The column uses of the whole statement. */
  readonly uses: ColumnUses;
  /** The used positions of an array column. Undefined if more than elements at known positions is used. */
  usedElements(column: ResolvedColumn): ReadonlySet<number> | undefined;
  /** The positions of the only elements that an array column has, in order. Nothing else of it is used. */
  readonly keptElements: Map<number, readonly number[]>;
  /** The uses of a column in the whole statement. */
  usedFields(column: ResolvedColumn): UsedFields;
  /** The columns with single fields of records. */
  readonly fieldColumns: Set<string>;
  readonly leaves: UsedLeaves;
  /** The form in which tables are read. */
  readonly form: Form;
  /** Scans that are known to have no flat form. */
  readonly notFlat: ReadonlySet<ResolvedNode>;
  scan(node: ResolvedNode): Relation;
  /**
   * The condition under which the expression that is being emitted is evaluated. Undefined if the rows of its scan are
   * all that it depends on.
   */
  readonly chosen: AnyNode | undefined;
  /** Emits a part of an expression with another such condition. */
  withChosen<Result>(chosen: AnyNode | undefined, emit: () => Result): Result;
  /** The id of a column that is not in the statement. */
  newColumn(): number;
  /** Whether the rows of a correlated subquery are being emitted. */
  readonly isCorrelated: boolean;
  /**
   * The rows of a subquery within an expression.
   *
   * @param isCorrelated whether it uses columns of the surrounding queries
   */
  subquery(node: ResolvedNode, isCorrelated: boolean): Relation;
  /** @param column the column that the expression computes, if any */
  expression(node: ResolvedNode, column?: ResolvedColumn): Emitted;
}

export type ScanEmitter = (node: ResolvedNode, emitter: Emitter) => Relation;
export type ExpressionEmitter = (
  node: ResolvedNode,
  emitter: Emitter,
  column: ResolvedColumn | undefined,
) => Expression;
