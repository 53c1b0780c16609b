import { nodesOf } from '../../../../sql/plan/tree-nodes.ts';
import { constantKind } from '../../../../sql/resolved/node.ts';
import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import type { Expression } from '../../dialect/expression.ts';
import type { Emitter } from '../emitter/emitter.ts';
import { columnName } from '../pieces/column-name.ts';

/** Expressions that may be repeated. */
const simple = new Set([
  '',
  'resolved_column_ref_node',
  'resolved_literal_node',
  'resolved_parameter_node',
  constantKind,
]);

/**
 * Emits a correlated subquery without FROM as its only expression, as in PIVOT, which the analyzer rewrites to such
 * subqueries: DuckDB would join with it, which takes three times as long (measured).
 *
 * @param node a scalar subquery
 * @returns undefined for another kind of subquery, and where a computed value has a name or the expression holds a query
 */
export function singleRowSubquery(node: ResolvedNode, emitter: Emitter): Expression | undefined {
  if (!node.has('parameter_list')) return undefined;
  const [result, ...inner] = projections(node.child('subquery')) ?? [];
  if (result === undefined) return undefined;
  const named = inner.toReversed().flatMap(valuesOf);
  if (!named.every(({ value }) => simple.has(value.kind))) return undefined;
  const [column] = result.columns('column_list');
  const selected = valuesOf(result).find(({ id }) => id === column?.id);
  if (selected === undefined || holdsQuery(selected.value)) return undefined;
  const { lambdas } = emitter;
  const renamed = new Map<string, string>();
  for (const { name, value } of named) {
    renamed.set(name, lambdas.renamed(renamed, () => emitter.expression(value)).sql);
  }
  return lambdas.renamed(renamed, () => emitter.expression(selected.value));
}

/** Queries in it may need copies of the columns by their names. */
function holdsQuery({ arrived }: ResolvedNode): boolean {
  return ['resolved_subquery_expr_node', 'resolved_with_expr_node'].some(
    (kind) => nodesOf(kind, arrived).length > 0,
  );
}

/** The SELECT lists of a query over a single row, outermost first. Undefined for any other query. */
function projections(scan: ResolvedNode): readonly ResolvedNode[] | undefined {
  if (scan.kind === 'resolved_single_row_scan_node') return [];
  if (scan.kind !== 'resolved_project_scan_node') return undefined;
  const inner = projections(scan.child('input_scan'));
  return inner && [scan, ...inner];
}

function valuesOf(scan: ResolvedNode) {
  return scan.list('expr_list').map((item) => {
    const column = item.column('column');
    return { id: column.id, name: columnName(column), value: item.child('expr') };
  });
}
