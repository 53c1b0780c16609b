import type { UsedFields } from '../../../../sql/plan/used-fields.ts';
import { plain, type Sql } from '../../dialect/calls.ts';
import { isByName, orderBy, type SortKey } from '../pieces/sort-key.ts';
import { decided, isProduct, threadsMark } from './one-thread.ts';

/** The FROM item of a SELECT without FROM. */
export const singleRow = '(SELECT 1 AS c0)';

/**
 * A SELECT under construction. Columns are named `c<id>` after the resolved column's id, which is unique in a
 * statement. So an inner query can refer to outer columns without qualification.
 */
export interface Relation {
  /** The entries of its WITH clause. */
  readonly ctes: readonly string[];
  readonly recursive: boolean;
  /** Output columns and their expressions over `from`. */
  readonly select: ReadonlyMap<string, Sql>;
  /** What else the SELECT list contains: `*`, a placeholder for columns of a table, or nothing. */
  readonly others: string;
  /** Columns that are not in the output, but to which its order, times, fields or late columns refer. */
  readonly hidden: ReadonlyMap<string, Sql>;
  readonly from: string;
  /** The SELECTs of the union in `from`, if it is one. */
  readonly parts: readonly string[];
  readonly where: readonly Sql[];
  /** Expressions over `from` whose values make a group: none for a single group. Undefined if rows aren't grouped. */
  readonly groupBy: readonly string[] | undefined;
  /**
   * Whether it is a single group whose row must stay if there is nothing to aggregate. In a correlated subquery, DuckDB 1.5.5
   * loses it if all of the aggregates are NULL then. COUNT isn't.
   */
  readonly keepsRow: boolean;
  /**
   * The query's order. It is written only where it has an effect: together with a limit, and in the outermost SELECT,
   * to which it is passed on.
   */
  readonly order: readonly SortKey[];
  /**
   * The output columns that are an unchanged time column of a table, each with the column of `from` to compare instead.
   */
  readonly times: TimeColumns;
  /** The record columns that also have columns for single fields. */
  readonly fields: ReadonlyMap<string, RecordFields>;
  /** The columns that are read later. */
  readonly late: LateColumns | undefined;
  readonly limit: string;
  readonly offset: string;
}

/**
 * Columns with the unchanged time of a table, by name. Each has the column to use in comparisons with constants and in
 * sorting: itself, or on the caller's side of the border a copy that is visible to DuckDB's optimizer.
 */
export type TimeColumns = ReadonlyMap<string, string>;

/** The columns of a record. */
export interface RecordFields {
  /** Whether there is a column with the whole record. */
  readonly isValue: boolean;
  /** The columns with its fields. */
  readonly names: readonly string[];
}

/** Columns that are read after the result's rows are known. */
export interface LateColumns {
  /** The tables of the rows, each with columns of the same names. */
  readonly tables: readonly LateTable[];
}

export interface LateTable {
  /** The table, as SQL. */
  readonly table: string;
  /** The relation's column with the key of the table's row. NULL for rows of another table. */
  readonly key: string;
  /** By the future names of the columns. */
  readonly columns: ReadonlyMap<string, LateValue>;
}

/** SQL over the columns of the table {@link lateAlias}: of a value, or of the leaves from which a record is built. */
export type LateValue = string | LeavesOfRecord;

export interface LeavesOfRecord {
  /** The form of the table. */
  readonly form: 'flat' | 'lists';
  /** The used fields of the record. */
  readonly used: UsedFields;
  /** In the order of `leafNames`. */
  readonly leaves: readonly string[];
}

/** The table's alias in late queries. */
export const lateAlias = 't';

/** Whether a column of the relation is read later. */
export function isLate({ late }: Relation, column: string): boolean {
  return late?.tables[0]?.columns.has(column) === true;
}

/**
 * Renames late columns.
 *
 * @param names the columns by their new names
 */
export function renamedLate(
  late: LateColumns | undefined,
  names: ReadonlyMap<string, string>,
): LateColumns | undefined {
  const tables = late?.tables.map(({ columns, ...table }) => ({
    ...table,
    columns: new Map([...names].map(([name, column]) => [name, columns.get(column) ?? 'NULL'])),
  }));
  return tables && { tables };
}

/** The concatenated rows of SELECTs with the same columns. */
export function unionOf(parts: readonly string[]): Relation {
  return { ...relation(`(${parts.join(' UNION ALL ')})`), parts };
}

/** The rows of a relation, in its order, after wrapping it in another FROM item that has all of its columns. */
export function continued({ order, times, fields, late }: Relation, from: string): Relation {
  return { ...relation(from), order, times, fields, late };
}

/** All columns of a table, a subquery in parentheses, or a join. */
export function relation(from: string): Relation {
  return {
    ctes: [],
    recursive: false,
    select: new Map(),
    others: '*',
    hidden: new Map(),
    from,
    parts: [],
    where: [],
    groupBy: undefined,
    keepsRow: false,
    order: [],
    times: new Map(),
    fields: new Map(),
    late: undefined,
    limit: '',
    offset: '',
  };
}

/** Whether it has a LIMIT or an OFFSET. */
export function isCut(source: Relation): boolean {
  return source.limit !== '' || source.offset !== '';
}

/** Renders the SELECT, with an ORDER BY if it determines the set of rows or if `ordered` is set. */
export function render(source: Relation, ordered = false): string {
  const columns = [...source.select].map(([name, { sql }]) => (name === sql ? sql : `${sql} AS ${name}`));
  const list =
    source.others === '*' ? ['*', ...columns].join(', ') : (columns.join(', ') || '1 AS c0') + source.others;
  const { groupBy = [] } = source;
  const { from, where, mark } = threaded(source, [...source.select.values()].some(callsJs));
  const parts = [
    source.ctes.length > 0 && `WITH ${source.recursive ? 'RECURSIVE ' : ''}${source.ctes.join(', ')}`,
    `SELECT ${list}`,
    `FROM ${from}`,
    where.length > 0 && `WHERE ${allOf(where)}`,
    groupBy.length > 0 && `GROUP BY ${groupBy.join(', ')}`,
    source.keepsRow && 'HAVING count(*) >= 0',
    mark,
    source.order.length > 0 && (ordered || isCut(source)) && `ORDER BY ${orderBy(keysIn(source))}`,
    source.limit !== '' && `LIMIT ${source.limit}`,
    source.offset !== '' && `OFFSET ${source.offset}`,
  ];
  return parts.filter((part) => part !== false).join(' ');
}

/** The keys as the SELECT's own ORDER BY names them. */
function keysIn(source: Relation): readonly SortKey[] {
  const columns = definitions(source);
  return source.order.map((key) =>
    isByName(key) && source.select.has(key.column)
      ? key
      : { ...key, column: columns.get(key.column)?.sql ?? key.column },
  );
}

/** The columns that are not yet columns of a FROM item. */
export function definitions({ select, hidden }: Relation): ReadonlyMap<string, Sql> {
  return hidden.size === 0 ? select : new Map([...hidden, ...select]);
}

function allOf(conditions: readonly Sql[]): string {
  return conditions.map(({ sql }) => sql).join(' AND ');
}

/** Whether it calls functions in JavaScript. */
export function callsJs({ calls }: Sql): boolean {
  return calls.js;
}

/** The part of a SELECT that determines its rows, marked where they must be read in one thread. */
interface Threaded {
  readonly from: string;
  readonly where: readonly Sql[];
  readonly mark: string | false;
}

/**
 * Conditions without functions in JavaScript are placed below the sample: scans apply them, and products become joins
 * by them. Conditions with such functions may also turn a product into a join; then its sides are sampled instead.
 */
function threaded({ from, where }: Pick<Relation, 'from' | 'where'>, hasJsOutput: boolean): Threaded {
  const slow = where.filter(callsJs);
  if (slow.length === 0 && !hasJsOutput) return { from: decided(from, false), where, mark: false };
  if (isProduct(from) && (slow.length > 0 || where.length === 0))
    return { from: decided(from, true), where, mark: false };
  const quick = where.filter((condition) => !callsJs(condition));
  const rows = decided(from, false);
  const chosen = quick.length === 0 ? rows : `(SELECT * FROM ${rows} WHERE ${allOf(quick)})`;
  return { from: chosen, where: slow, mark: threadsMark };
}

/** An expression as an item of a SELECT list. */
export function named(expression: Sql, name: string): Sql {
  return { ...expression, sql: `${expression.sql} AS ${name}` };
}

/**
 * Adds expressions to all columns of a FROM item.
 *
 * @param items their SQL, with names if they have any
 * @param mark a placeholder for further items
 */
export function withColumns(from: string, items: readonly Sql[], mark = ''): string {
  const added = `SELECT ${['*', ...items.map(({ sql }) => sql)].join(', ')}${mark} FROM`;
  if (!items.some(callsJs)) return `(${added} ${from})`;
  const rows = threaded({ from, where: [] }, true);
  return `(${added} ${rows.from}${rows.mark || ''})`;
}

/**
 * The relation as a FROM item. Its columns include those that it is ordered by, the copies of its times, and the keys
 * of late columns.
 */
export function fromItem(source: Relation): string {
  const { select, others, where, groupBy, ctes } = source;
  const bare = select.size === 0 && others === '*' && where.length === 0 && groupBy === undefined;
  if (bare && !isCut(source) && ctes.length === 0) return source.from;
  return `(${render(withCarriedColumns(source))})`;
}

function withCarriedColumns(source: Relation): Relation {
  const { hidden, others } = source;
  const select = new Map(source.select);
  for (const column of carriedColumns(source)) {
    if (!select.has(column) && (others === '' || hidden.has(column)))
      select.set(column, hidden.get(column) ?? plain(column));
  }
  return { ...source, select };
}

/** The columns to which a relation's properties refer. */
export function carriedColumns({
  order,
  times,
  late,
  fields,
}: Pick<Relation, 'order' | 'times' | 'fields' | 'late'>) {
  return [
    ...order.map(({ column }) => column),
    ...times.values(),
    ...(late?.tables ?? []).map(({ key }) => key),
    ...[...fields.values()].flatMap(({ names }) => names),
  ];
}

/** A new SELECT of the relation's rows, in the same order. */
export function nested(source: Relation): Relation {
  return continued(source, fromItem(source));
}

/** The relation without its order. */
export function unordered(source: Relation): Relation {
  return source.order.length === 0 ? source : { ...(isCut(source) ? nested(source) : source), order: [] };
}

/** A subquery's SELECT with only the relation's columns, without its order. */
export function renderSubquery(source: Relation): string {
  return isCut(source) ? render(source) : render({ ...source, order: [] });
}

/** Column names and constants as expressions. */
export function plainColumns(select: ReadonlyMap<string, string>): Map<string, Sql> {
  return new Map([...select].map(([name, sql]) => [name, plain(sql)]));
}
