import { nodesOf } from '../../../../sql/plan/tree-nodes.ts';
import { isCollatedBy } from '../../../../sql/resolved/collation.ts';
import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { noteCall } from '../../dialect/calls.ts';
import { constantKind } from '../../dialect/constant.ts';
import { duckType } from '../../dialect/duck-type.ts';
import { computed, type Expression, subqueryWeight } from '../../dialect/expression.ts';
import { sortedList } from '../../functions/aggregates/sorted-list.ts';
import { equals, hasPlainEquality } from '../../functions/comparison/equality.ts';
import { collationKey } from '../../macros/collation.ts';
import { choiceOf } from '../chosen/choice.ts';
import { subqueryIfChosen } from '../chosen/only-if-chosen.ts';
import type { Emitter, ExpressionEmitter } from '../emitter/emitter.ts';
import { inAllThreads } from '../emitter/one-thread.ts';
import { fromItem, type Relation, renderSubquery, unordered } from '../emitter/relation.ts';
import { rename } from '../emitter/steps.ts';
import { columnName } from '../pieces/column-name.ts';
import { selectColumns } from '../pieces/select-columns.ts';
import { orderKeys } from '../pieces/sort-key.ts';
import { arraySubquery } from './array-subquery.ts';

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
function singleRowSubquery(node: ResolvedNode, emitter: Emitter): Expression | undefined {
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

/** DuckDB doesn't support samples in correlated subqueries. */
export const subqueryExpression: ExpressionEmitter = (node, emitter) => {
  const expression = emitSubquery(node, emitter);
  return { ...expression, sql: inAllThreads(expression.sql) };
};

function emitSubquery(node: ResolvedNode, emitter: Emitter): Expression {
  const kind = node.choice('subquery_type', ['SCALAR', 'ARRAY', 'EXISTS', 'IN']);
  const type = node.type();
  const isCollated = isCollatedBy(node, 'in_collation');
  const overArrays = isCollated ? undefined : arraySubquery(node, kind, emitter);
  if (overArrays !== undefined) return overArrays;
  const ofSingleRow = kind === 'SCALAR' ? singleRowSubquery(node, emitter) : undefined;
  if (ofSingleRow !== undefined) return ofSingleRow;
  const choice = choiceOf(node.wrapped, emitter);
  if (choice === undefined) return asQuery(node, emitter);
  const ifChosen = node.replacedBy(subqueryIfChosen(node.arrived, choice.id, () => emitter.newColumn()));
  const { sql } = emitter.withChosen(undefined, () => asQuery(ifChosen, emitter));
  return computed(`(SELECT ${sql} FROM ${choice.from})`, type, subqueryWeight);
}

function asQuery(node: ResolvedNode, emitter: Emitter): Expression {
  const kind = node.choice('subquery_type', ['SCALAR', 'ARRAY', 'EXISTS', 'IN']);
  const type = node.type();
  const isCollated = isCollatedBy(node, 'in_collation');
  noteCall('subquery');
  const source = emitter.subquery(node.child('subquery'), node.has('parameter_list'));
  switch (kind) {
    case 'SCALAR': {
      // No row gives NULL, as aggregates of no rows do.
      const rows = { ...onlyColumn(node, source).relation, keepsRow: false };
      return computed(`(${renderSubquery(rows)})`, type, subqueryWeight);
    }
    case 'EXISTS':
      return computed(`EXISTS (${renderSubquery(source)})`, type, subqueryWeight);
    case 'ARRAY': {
      const { relation, column } = onlyColumn(node, source);
      const list = `coalesce(${sortedList(column, orderKeys(relation.order))}, CAST([] AS ${duckType(type)}))`;
      return computed(`(SELECT ${list} FROM ${fromItem(relation)})`, type, subqueryWeight);
    }
    case 'IN':
      return computed(membership(node, source, emitter, isCollated), type, subqueryWeight);
  }
}

/** The relation reduced to the subquery's single column. */
function onlyColumn(node: ResolvedNode, source: Relation): { relation: Relation; column: string } {
  const select = selectColumns(node.child('subquery').columns('column_list'));
  const [column] = select.keys();
  if (select.size !== 1 || column === undefined) throw node.refusal('a subquery of several columns');
  return { relation: rename(source, select), column };
}

function membership(node: ResolvedNode, source: Relation, emitter: Emitter, isCollated: boolean): string {
  const value = emitter.expression(node.child('in_expr'));
  const { relation, column } = onlyColumn(node, source);
  if (isCollated) {
    const keys = `SELECT ${collationKey.call([column])} FROM ${fromItem(unordered(relation))}`;
    return `(${collationKey.call([value.sql])} IN (${keys}))`;
  }
  if (hasPlainEquality(value.type)) return `(${value.sql} IN (${renderSubquery(relation)}))`;
  return `(SELECT CASE WHEN bool_or(e) THEN true WHEN bool_or(e IS NULL) THEN NULL ELSE false END
    FROM (SELECT ${equals(value.sql, column, value.type)} AS e FROM ${fromItem(unordered(relation))}))`;
}
