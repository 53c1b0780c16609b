import type { UsedFields } from '../../../sql/plan/used-fields.ts';
import type { AnyNode } from '../../../sql/resolved/node.ts';
import type { ResolvedNode } from '../../../sql/resolved/resolved-node.ts';
import type { ResolvedColumn } from '../../../sql/resolved/result-columns.ts';
import { placed, unsupported } from '../../../sql/resolved/unsupported.ts';
import { withCalls } from '../dialect/calls.ts';
import { constantKind } from '../dialect/constant.ts';
import type { Emitted } from '../dialect/expression.ts';
import type { EmitContext } from './emitter/context.ts';
import { CteScope } from './emitter/cte-scope.ts';
import type { Emitter, ExpressionEmitter, ScanEmitter } from './emitter/emitter.ts';
import { Form, NotFlat } from './emitter/form.ts';
import { LambdaScope } from './emitter/lambda-scope.ts';
import type { Relation } from './emitter/relation.ts';
import { UsedLeaves } from './emitter/used-leaves.ts';
import { aggregateCall } from './expressions/aggregate-call.ts';
import { cast } from './expressions/cast.ts';
import { columnRef } from './expressions/column-ref.ts';
import { functionCall } from './expressions/function-call.ts';
import { getJsonField } from './expressions/json-field.ts';
import { constant, literal, parameter } from './expressions/literal.ts';
import { perRow } from './expressions/per-row.ts';
import { getStructField, makeStruct } from './expressions/struct.ts';
import { subqueryExpression } from './expressions/subquery.ts';
import { timeRange } from './expressions/time-range.ts';
import { withExpression } from './expressions/with-expression.ts';
import { bothForms } from './flat/both-forms.ts';
import { isRowwise } from './flat/rowwise.ts';
import { usedFields } from './flat/used-fields.ts';
import { aggregateScan } from './scans/aggregate.ts';
import { analyticScan } from './scans/analytic.ts';
import { arrayScan } from './scans/array.ts';
import { filterScan } from './scans/filter.ts';
import { flatScans } from './scans/flat-scans.ts';
import { joinScan } from './scans/join.ts';
import { limitScan } from './scans/limit.ts';
import { orderByScan } from './scans/order-by.ts';
import { projectScan } from './scans/project.ts';
import { sampleScan } from './scans/sample.ts';
import { setOperationScan } from './scans/set-operation.ts';
import { singleRowScan } from './scans/single-row.ts';
import { tableScan } from './scans/table.ts';
import { recursiveRefScan, withRefScan, withScan } from './scans/with.ts';
import { onceExpression, onceKind } from './shared/once.ts';
import { rangeKind } from './sliced/bounded-rows.ts';
import { type ColumnUses, columnUses } from './tree/column-uses.ts';
import { NewColumns } from './tree/new-columns.ts';
import { usedElements } from './tree/used-elements.ts';
import { perRowKind } from './volatile/volatile-nodes.ts';

const scans: ReadonlyMap<string, ScanEmitter> = new Map([
  ['resolved_single_row_scan_node', singleRowScan],
  ['resolved_table_scan_node', tableScan],
  ['resolved_with_scan_node', withScan],
  ['resolved_with_ref_scan_node', withRefScan],
  ['resolved_recursive_ref_scan_node', recursiveRefScan],
  ['resolved_project_scan_node', projectScan],
  ['resolved_filter_scan_node', filterScan],
  ['resolved_join_scan_node', joinScan],
  ['resolved_array_scan_node', arrayScan],
  ['resolved_aggregate_scan_node', aggregateScan],
  ['resolved_analytic_scan_node', analyticScan],
  ['resolved_order_by_scan_node', orderByScan],
  ['resolved_limit_offset_scan_node', limitScan],
  ['resolved_set_operation_scan_node', setOperationScan],
  ['resolved_sample_scan_node', sampleScan],
]);

const expressions: ReadonlyMap<string, ExpressionEmitter> = new Map([
  ['resolved_literal_node', literal],
  ['resolved_parameter_node', parameter],
  [constantKind, constant],
  ['resolved_column_ref_node', columnRef],
  // Where the tree allows only a column, the column has no wrapper.
  ['', columnRef],
  ['resolved_function_call_node', functionCall],
  ['resolved_aggregate_function_call_node', aggregateCall],
  ['resolved_cast_node', cast],
  ['resolved_make_struct_node', makeStruct],
  ['resolved_get_struct_field_node', getStructField],
  ['resolved_get_json_field_node', getJsonField],
  ['resolved_subquery_expr_node', subqueryExpression],
  ['resolved_with_expr_node', withExpression],
  [perRowKind, perRow],
  [onceKind, onceExpression],
  [rangeKind, timeRange],
]);

/** Emits one statement in one pass. */
export class StatementEmitter implements Emitter {
  readonly context: EmitContext;
  readonly ctes: CteScope;
  readonly lambdas = new LambdaScope();
  readonly late: ReadonlySet<number>;
  readonly leaves = new UsedLeaves();
  readonly keptElements = new Map<number, readonly number[]>();
  readonly notFlat = new Set<ResolvedNode>();
  root: ResolvedNode | undefined;
  form = new Form(undefined);
  isCorrelated = false;
  chosen: AnyNode | undefined;
  #newColumns: NewColumns | undefined;

  readonly uses: ColumnUses;
  #usedElements: ReturnType<typeof usedElements> | undefined;
  #usedFields: ReturnType<typeof usedFields> | undefined;
  readonly #statement: AnyNode;
  readonly fieldColumns = new Set<string>();

  /** @param statement a statement or a single expression */
  constructor(
    statement: AnyNode,
    context: EmitContext,
    cteReferences: ReadonlyMap<string, number>,
    late: ReadonlySet<number> = new Set(),
  ) {
    this.context = context;
    this.#statement = statement;
    this.uses = columnUses(statement);
    this.late = late;
    this.ctes = new CteScope(cteReferences);
  }

  /** The rows of the whole statement. */
  rootScan(node: ResolvedNode): Relation {
    this.root = node;
    return this.scan(node);
  }

  scan(node: ResolvedNode): Relation {
    if (this.form.kind !== undefined || !isRowwise(node, this)) return this.#emitScan(node);
    try {
      return bothForms(node, this, (form) => this.#within(form, () => this.#emitScan(node)));
    } catch (error) {
      // A scan in it has no flat form, and has been identified.
      if (error instanceof NotFlat && error.form.outer === this.form) return this.scan(node);
      throw error;
    }
  }

  subquery(node: ResolvedNode, isCorrelated: boolean): Relation {
    const outside = this.isCorrelated;
    this.isCorrelated = isCorrelated;
    try {
      const emit = () => this.#within(new Form(undefined, this.form), () => this.scan(node));
      return this.withChosen(undefined, emit);
    } finally {
      this.isCorrelated = outside;
    }
  }

  withChosen<Result>(chosen: AnyNode | undefined, emit: () => Result): Result {
    const outside = this.chosen;
    this.chosen = chosen;
    try {
      return emit();
    } finally {
      this.chosen = outside;
    }
  }

  newColumn(): number {
    this.#newColumns ??= new NewColumns(this.#statement);
    return this.#newColumns.next();
  }

  usedElements(column: ResolvedColumn): ReadonlySet<number> | undefined {
    this.#usedElements ??= usedElements(this.#statement, this.uses);
    return this.#usedElements.get(column.id);
  }

  usedFields(column: ResolvedColumn): UsedFields {
    this.#usedFields ??= usedFields(this.#statement, this.context.wanted);
    return this.#usedFields(column.id);
  }

  #within<T>(form: Form, emit: () => T): T {
    const outside = this.form;
    this.form = form;
    try {
      return emit();
    } finally {
      this.form = outside;
    }
  }

  #emitScan(node: ResolvedNode): Relation {
    const emit = (this.form.kind === 'flat' ? flatScans.get(node.kind) : undefined) ?? scans.get(node.kind);
    if (emit === undefined) throw unsupported(`a ${node.label}`, node.byteOffset);
    try {
      return emit(node, this);
    } catch (error) {
      if (error instanceof NotFlat && error.form === this.form && !error.isSettled) {
        this.notFlat.add(node);
        error.isSettled = true;
      }
      throw placed(error, node.byteOffset);
    }
  }

  expression(node: ResolvedNode, column?: ResolvedColumn): Emitted {
    const emit = expressions.get(node.kind);
    if (emit === undefined) throw unsupported(`a ${node.label}`, node.byteOffset);
    try {
      const [expression, calls] = withCalls(() => emit(node, this, column));
      return { ...expression, calls };
    } catch (error) {
      throw placed(error, node.byteOffset);
    }
  }
}
