import { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import type { SqlType } from '../../../../sql/values/type.ts';
import { duckType } from '../../dialect/duck-type.ts';
import { computed, type Expression, subqueryWeight, totalWeight } from '../../dialect/expression.ts';
import { oneOfElements } from '../../functions/comparison/comparison.ts';
import { onlyElement } from '../../macros/arrays.ts';
import { withNamedValues } from '../../macros/named-values.ts';
import { whenRoom } from '../../udf/js/claim.ts';
import type { Emitter } from '../emitter/emitter.ts';
import { outerColumns } from '../emitter/outer-columns.ts';
import { rowCount } from '../emitter/row-count.ts';
import { columnName } from '../pieces/column-name.ts';
import { type ArrayRows, arrayRowsOf, type Unnesting } from './array-rows.ts';
import { overArguments } from './bound-arguments.ts';
import { flatArraySubquery } from './flat-array-subquery.ts';
import { ofElement } from './in-parts.ts';

type Kind = 'SCALAR' | 'ARRAY' | 'EXISTS' | 'IN';

/**
 * Emits a subquery over arrays with list functions: DuckDB would execute the subquery by grouping its rows by whole
 * arrays and joining, which takes 2 to 25 times as long (measured, 200,000 rows).
 *
 * @param node a subquery expression
 * @returns undefined for another kind of subquery
 */
export function arraySubquery(node: ResolvedNode, kind: Kind, emitter: Emitter): Expression | undefined {
  const rows = arrayRowsOf(node);
  if (rows === undefined) return undefined;
  const limit = rowCount(rows.limit, 'LIMIT', emitter);
  const flat = flatArraySubquery(node, kind, rows, limit, emitter);
  if (flat !== undefined) return flat;
  const list = emitter.expression(rows.unnestings[0].array);
  // A join with constant rows is as fast, but not possible in a lambda. And a list function over a long list that is
  // the same for all rows would process it for two thousand rows at once, which takes gigabytes and can't be
  // interrupted.
  const isKnown = list.constant !== undefined || outerColumns(rows.outermost).size === 0;
  if (isKnown && !emitter.lambdas.isInside) return undefined;
  // Whether there are rows, and how many, takes no room.
  const isCounted = kind === 'EXISTS' || rows.value === 'count';
  const outermost = isCounted || emitter.lambdas.isInside ? list.sql : withRoom(list, node);
  const answer = overElements(rows, outermost, emitter, (elements) => {
    if (kind === 'EXISTS') return someRow(rows, elements, emitter);
    return rows.value === 'count'
      ? countOfRows(rows, elements, emitter)
      : listOfRows(rows, limit, elements, emitter);
  });
  const type = node.type();
  if (kind === 'EXISTS' || rows.value === 'count') return computed(answer, type, subqueryWeight);
  const elementType = duckType(node.child('subquery').columns('column_list')[0]?.type ?? type);
  const all = `coalesce(${answer}, CAST([] AS ${elementType}[]))`;
  const taken = computed(all, type, subqueryWeight);
  switch (kind) {
    case 'ARRAY':
      return taken;
    case 'SCALAR':
      if (limit === '1') return computed(`list_extract(${answer}, 1)`, type, subqueryWeight);
      return overArguments([taken], type, ([elements = taken]) => onlyElement.call([elements.sql]));
    case 'IN': {
      const value = emitter.expression(node.child('in_expr'));
      return overArguments([value, taken], type, ([x = value, elements = taken]) =>
        oneOfElements(x, elements.sql),
      );
    }
  }
}

/** The approximate maximum size of a value computed from an element. */
const valueBytes = 16;

/**
 * The outermost list, if there is memory for the rows computed from its elements: DuckDB computes those of two thousand
 * lists at once, without interruption.
 */
function withRoom(list: Expression, node: ResolvedNode): string {
  const values = leafCount(node.child('subquery').columns('column_list')[0]?.type ?? node.type());
  const claimed = (sql: string) => `CASE ${whenRoom(`len(${sql}) * ${values * valueBytes}`)} ${sql} END`;
  if (list.weight <= 1) return claimed(list.sql);
  return withNamedValues<string>('l', { list: list.sql }, ({ list: sql = list.sql }) => claimed(sql));
}

/** The number of values in a type: all fields of a record, one for any other. */
function leafCount(type: SqlType): number {
  if (type.kind === 'ARRAY') return leafCount(type.element);
  if (type.kind !== 'STRUCT') return 1;
  return type.fields.reduce((count, field) => count + leafCount(field.type), 0);
}

/**
 * Applies `emit` to the outermost list. In one lambda, DuckDB can't resolve columns of two nested queries, nor an outer
 * query's columns beside a list without any. So columns are passed in as fields of a row, unless there is only one.
 */
function overElements(
  rows: ArrayRows,
  list: string,
  { lambdas, form }: Emitter,
  emit: (list: string) => string,
): string {
  if (lambdas.isInside) return emit(list);
  const parts = rows.inner.map(({ part }) => part);
  for (const name of outerColumns([rows.outermost, parts])) form.refuse(name);
  const inner = outerColumns(parts);
  const all = outerColumns([rows.outermost, parts]);
  const isOfList = outerColumns(rows.outermost).size > 0;
  if (inner.size === 0 || (all.size === 1 && isOfList)) return lambdas.within(new Map(), () => emit(list));
  const values = Object.fromEntries([
    ['list', list],
    ...[...inner].map((name) => [name, lambdas.column(name)]),
  ]);
  return withNamedValues<string>('o', values, ({ list: elements = list, ...columns }) =>
    lambdas.within(new Map(Object.entries(columns)), () => emit(elements)),
  );
}

/** The elements that satisfy the conditions. */
function filtered(list: string, { element, conditions }: Unnesting, emitter: Emitter): string {
  return conditions.reduce(
    (found, condition) =>
      `list_filter(${found}, lambda ${columnName(element)}: ${ofElement(emitter.expression(condition), columnName(element))})`,
    list,
  );
}

/**
 * The expression over the elements of the outermost list.
 *
 * @param innermost the expression over the elements of the innermost list
 * @param combine combines the expressions of the elements of a list
 */
function nested(
  { unnestings }: ArrayRows,
  list: string,
  emitter: Emitter,
  innermost: (elements: string, unnesting: Unnesting) => string,
  combine: (elements: string, parameter: string, ofEach: string) => string,
): string {
  const of = (elements: string, index: number): string => {
    const unnesting = unnestings[index];
    if (unnesting === undefined) throw new TypeError('No array');
    const found = filtered(elements, unnesting, emitter);
    const next = unnestings[index + 1];
    if (next === undefined) return innermost(found, unnesting);
    return combine(found, columnName(unnesting.element), of(emitter.expression(next.array).sql, index + 1));
  };
  return of(list, 0);
}

function someRow(rows: ArrayRows, list: string, emitter: Emitter): string {
  const isAny = (elements: string) => `coalesce(len(${elements}) > 0, false)`;
  return nested(rows, list, emitter, isAny, (elements, parameter, hasRow) =>
    isAny(`list_filter(${elements}, lambda ${parameter}: ${hasRow})`),
  );
}

function countOfRows(rows: ArrayRows, list: string, emitter: Emitter): string {
  return nested(
    rows,
    list,
    emitter,
    (elements) => `coalesce(len(${elements}), 0)`,
    (elements, parameter, count) =>
      `CAST(coalesce(list_sum(list_transform(${elements}, lambda ${parameter}: ${count})), 0) AS BIGINT)`,
  );
}

/** The selected values, or NULL if the outermost array is NULL. Values beyond the limit need not be computed. */
function listOfRows(rows: ArrayRows, limit: string, list: string, emitter: Emitter): string {
  const first = (elements: string) => (limit === '' ? elements : `list_slice(${elements}, 1, ${limit})`);
  const isNested = rows.unnestings.length > 1;
  const values = nested(
    rows,
    list,
    emitter,
    (elements, { element }) => {
      const parameter = columnName(element);
      const selected = selectedValue(rows, emitter);
      const taken = isNested ? elements : first(elements);
      if (selected.sql === parameter) return taken;
      return `list_transform(${taken}, lambda ${parameter}: ${ofElement(selected, parameter)})`;
    },
    // DuckDB's flatten skips NULL lists.
    (elements, parameter, ofEach) => `flatten(list_transform(${elements}, lambda ${parameter}: ${ofEach}))`,
  );
  return isNested ? first(values) : values;
}

function selectedValue(
  { value, computed: parts }: ArrayRows,
  emitter: Emitter,
): Pick<Expression, 'sql' | 'weight'> {
  if (value === 'count') throw new TypeError('A count selects no value');
  const { lambdas } = emitter;
  const columns = parts.map((part) => [columnName(part.column), emitter.expression(part.value)] as const);
  const names = new Map(columns.map(([name, { sql }]) => [name, sql]));
  return lambdas.within(names, () => {
    if (!(value instanceof ResolvedNode))
      return { sql: lambdas.column(columnName(value)), weight: totalWeight(columns.map(([, part]) => part)) };
    const { sql, weight } = emitter.expression(value);
    return { sql, weight: weight + totalWeight(columns.map(([, part]) => part)) };
  });
}
