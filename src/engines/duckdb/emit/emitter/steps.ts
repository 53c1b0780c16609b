import { plain, type Sql } from '../../dialect/calls.ts';
import { isByName, orderBy, type SortKey } from '../pieces/sort-key.ts';
import { inlined, isName } from './inlined.ts';
import {
  callsJs,
  carriedColumns,
  definitions,
  isCut,
  isLate,
  nested,
  plainColumns,
  type RecordFields,
  type Relation,
  relation,
  renamedLate,
  unionOf,
} from './relation.ts';

type Selection = Pick<Relation, 'times' | 'fields' | 'late'> & {
  readonly select: ReadonlyMap<string, Sql>;
};

/** The times, fields and late columns after selecting these columns from the relation. */
function selection(source: Relation, select: ReadonlyMap<string, Sql>): Selection {
  const { times, late } = source;
  const read = new Map<string, Sql>();
  const selectedTimes = new Map<string, string>();
  const notRead = new Map<string, string>();
  const fields = new Map<string, RecordFields>();
  for (const [name, item] of select) {
    const { sql } = item;
    const record = source.fields.get(sql);
    if (record !== undefined && name === sql) fields.set(name, record);
    if (record?.isValue === false) continue;
    const copy = times.get(sql);
    if (copy !== undefined) selectedTimes.set(name, copy === sql ? name : copy);
    if (isLate(source, sql)) notRead.set(name, sql);
    else read.set(name, item);
  }
  if (read.size === 0) read.set('c0', plain('1'));
  return { select: read, times: selectedTimes, fields, late: renamedLate(late, notRead) };
}

/** The relation with these expressions over its columns as output columns. */
export function project(source: Relation, select: ReadonlyMap<string, Sql>): Relation {
  return selecting(source, select, !isCut(source));
}

/**
 * Renames columns of the relation. `select` contains the name of a column, or a constant, for each new name.
 */
export function rename(source: Relation, select: ReadonlyMap<string, string>): Relation {
  return selecting(source, plainColumns(select), true);
}

function selecting(source: Relation, select: ReadonlyMap<string, Sql>, mayMerge: boolean): Relation {
  const selected = selection(source, select);
  const merged = mayMerge ? recomposed(source, selected) : undefined;
  return merged ?? { ...nested(source), ...selected, others: '' };
}

/** The relation's SELECT with another list. Undefined if that needs a SELECT around it. */
function recomposed(source: Relation, selected: Selection): Relation | undefined {
  const columns = definitions(source);
  const names = [...selected.select.keys()];
  const list = [...selected.select.values()];
  if (columns.size > 0 && list.some(callsJs)) return undefined;
  // Of several columns with one expression, the first.
  const nameOf = new Map([...selected.select].reverse().map(([name, { sql }]) => [sql, name]));
  const order = source.order.map((key) =>
    isByName(key) ? { ...key, column: nameOf.get(key.column) ?? key.column } : key,
  );
  if (!order.every((key) => isByName(key) || isNameIn(columns, key.column))) return undefined;
  const hidden = [...new Set(carriedColumns({ ...selected, order }))].filter(
    (column) => columns.has(column) && !selected.select.has(column),
  );
  const composed = inlined([...list, ...hidden.map(plain)], columns, { keys: source.groupBy });
  if (composed === undefined) return undefined;
  const [shown, carried] = [composed.slice(0, list.length), composed.slice(list.length)];
  // Without an aggregate, the rows would no longer be one group.
  if (source.groupBy?.length === 0 && shown.every(({ sql }, i) => sql === list[i]?.sql)) return undefined;
  const pair = (keys: readonly string[], values: readonly Sql[]) =>
    new Map(keys.map((key, i): [string, Sql] => [key, values[i] as Sql]));
  return {
    ...source,
    ...selected,
    select: pair(names, shown),
    others: '',
    hidden: pair(hidden, carried),
    order,
  };
}

function isNameIn(columns: ReadonlyMap<string, Sql>, column: string): boolean {
  return isName(columns.get(column)?.sql ?? column);
}

/** The relation with further columns. */
export function extend(source: Relation, columns: ReadonlyMap<string, Sql>): Relation {
  const [base, values] = over(source, [...columns.values()]);
  const added = [...columns.keys()].map((name, i): [string, Sql] => [name, values[i] as Sql]);
  return { ...base, select: new Map([...base.select, ...added]) };
}

/** The rows of the relation that satisfy the condition. */
export function filter(source: Relation, condition: Sql): Relation {
  const [base, [where]] = over(source, [condition]);
  return { ...base, where: [...base.where, where as Sql] };
}

/** The relation, in a SELECT of its own if needed, and expressions over its columns as expressions over its FROM item. */
function over(source: Relation, expressions: readonly Sql[]): readonly [Relation, readonly Sql[]] {
  const columns = definitions(source);
  const isApart = columns.size > 0 && expressions.some(callsJs);
  const values =
    source.groupBy !== undefined || isCut(source) || isApart
      ? undefined
      : inlined(expressions, columns, { onlyNames: true });
  return values === undefined ? [nested(source), expressions] : [source, values];
}

/** The relation in another order of its rows. */
export function ordered(source: Relation, order: readonly SortKey[]): Relation {
  const columns = definitions(source);
  const isPossible = !isCut(source) && order.every((key) => isByName(key) || isNameIn(columns, key.column));
  return { ...(isPossible ? source : nested(source)), order };
}

/** Whether the relation is grouped, and has one row only for the same values of these columns. */
export function isUniqueBy({ groupBy = [], select }: Relation, columns: ReadonlySet<string>): boolean {
  const values = new Set([...select].filter(([name]) => columns.has(name)).map(([, { sql }]) => sql));
  return groupBy.length > 0 && groupBy.every((key) => values.has(key));
}

/** The groups of the relation's rows, by expressions over its columns. Undefined if these need a SELECT of their own. */
export function grouped(
  source: Relation,
  keys: ReadonlyMap<string, Sql>,
  aggregates: ReadonlyMap<string, Sql>,
): Relation | undefined {
  const columns = definitions(source);
  const list = [...keys.values(), ...aggregates.values()];
  if (source.groupBy !== undefined || isCut(source) || source.ctes.length > 0) return undefined;
  const values = inlined(list, columns);
  if (values === undefined || values.some(({ calls }) => calls.js || calls.subquery || calls.volatile))
    return undefined;
  const names = [...keys.keys(), ...aggregates.keys()];
  return {
    ...relation(source.from),
    where: source.where,
    select: new Map(names.map((name, i): [string, Sql] => [name, values[i] as Sql])),
    others: '',
    groupBy: values.slice(0, keys.size).map(({ sql }) => sql),
  };
}

/** More rows than any relation has, and so few that DuckDB can add them to the position of a row. */
export const maxRows = 2n ** 62n;

/**
 * The first rows of the relation in its order. The limit also applies to each part of a union: DuckDB reads the newest
 * rows of a table first, but not through a union.
 *
 * @param limit digits, like `offset`; empty if there is none
 */
export function cut(source: Relation, limit: string, offset: string): Relation {
  const base = isCut(source) ? nested(source) : source;
  const isWhole = base.where.length === 0 && base.groupBy === undefined;
  const last = BigInt(limit || maxRows) + BigInt(offset || 0);
  if (base.parts.length < 2 || !isWhole || base.order.length === 0 || last > maxRows)
    return { ...base, limit, offset };
  const columns = definitions(base);
  const order = base.order.map((key) => ({ ...key, column: columns.get(key.column)?.sql ?? key.column }));
  if (!order.every(({ column }) => isName(column))) return { ...base, limit, offset };
  const first = `ORDER BY ${orderBy(order)} LIMIT ${last}`;
  // DuckDB sorts by a column of the SELECT list, but not by an expression over one.
  const isByColumns = order.every(isByName);
  const parts = base.parts.map((part) => `(${isByColumns ? part : `SELECT * FROM (${part})`} ${first})`);
  return { ...base, from: unionOf(parts).from, limit, offset };
}
