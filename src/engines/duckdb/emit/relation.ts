import type { UsedFields } from '../../../sql/used-fields.ts';
import { plain, type Sql } from '../calls.ts';
import { decided, isProduct, threadsMark } from './one-thread.ts';
import { orderBy, type SortKey } from './sort-key.ts';

/** What a SELECT without FROM selects from. */
export const singleRow = '(SELECT 1 AS c0)';

/**
 * A SELECT under construction. Columns are named `c<id>` after the resolved column's id, which is unique in
 * a statement, so an inner query may refer to the columns of an outer one without qualification.
 */
export interface Relation {
  /** Entries of its WITH clause. */
  readonly ctes: readonly string[];
  readonly recursive: boolean;
  /** The output columns and their expressions; undefined for all columns of `from` as they are. */
  readonly select: ReadonlyMap<string, Sql> | undefined;
  readonly from: string;
  /** The SELECTs whose rows `from` has, where it is a union of them. */
  readonly parts: readonly string[];
  readonly where: readonly Sql[];
  /** Names of columns of `from`. */
  readonly groupBy: string;
  /**
   * The order that the query asks for. It is only written where it counts: together with a limit, and in
   * the outermost SELECT, up to which it is carried.
   */
  readonly order: readonly SortKey[];
  /** The output columns that are a table's time column as it is, and by which column of `from` to compare each of them. */
  readonly times: TimeColumns;
  /** The columns that are records of which single fields are columns, too. */
  readonly fields: ReadonlyMap<string, RecordFields>;
  /** The columns that are not read yet. */
  readonly late: LateColumns | undefined;
  readonly limit: string;
  readonly offset: string;
}

/**
 * Columns that hold a table's time as it is, by name. Each has the column that comparisons with constants and sorting may use in its
 * place: itself, or on the caller's side of the border a copy that is open to DuckDB's optimizer.
 */
export type TimeColumns = ReadonlyMap<string, string>;

/** What there is of a record. */
interface RecordFields {
  /** Whether there is a column with the record itself. */
  readonly isValue: boolean;
  /** The columns with its fields. */
  readonly names: readonly string[];
}

/** Columns that are read once it is known for which rows. */
export interface LateColumns {
  /** The tables of the rows are of, each with columns of the same names. */
  readonly tables: readonly LateTable[];
}

export interface LateTable {
  /** The table, as SQL. */
  readonly table: string;
  /** The column of the relation that tells which row of the table is to be read; NULL for rows of another table. */
  readonly key: string;
  /** By the names that the columns are going to have. */
  readonly columns: ReadonlyMap<string, LateValue>;
}

/** SQL over the columns of the table as {@link lateAlias}: of a value, or of the leaves that a record is made of when it has been read. */
export type LateValue = string | LeavesOfRecord;

export interface LeavesOfRecord {
  /** The form that the table is in. */
  readonly form: 'flat' | 'lists';
  /** What is used of the record. */
  readonly used: UsedFields;
  /** In the order of `leafNames`. */
  readonly leaves: readonly string[];
}

/** What a table is called where its late columns are read. */
export const lateAlias = 't';

/** Whether a column of the relation is not read yet. */
export function isLate({ late }: Relation, column: string): boolean {
  return late?.tables[0]?.columns.has(column) === true;
}

/**
 * Late columns under other names.
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

/** The rows of SELECTs with the same columns, one after the other. */
export function unionOf(parts: readonly string[]): Relation {
  return { ...relation(`(${parts.join(' UNION ALL ')})`), parts };
}

/** The rows of a relation, in its order, as another FROM item gives them, which has all of its columns. */
export function continued({ order, times, fields, late }: Relation, from: string): Relation {
  return { ...relation(from), order, times, fields, late };
}

/** All columns of a table, a subquery in parentheses, or a join. */
export function relation(from: string): Relation {
  return {
    ctes: [],
    recursive: false,
    select: undefined,
    from,
    parts: [],
    where: [],
    groupBy: '',
    order: [],
    times: new Map(),
    fields: new Map(),
    late: undefined,
    limit: '',
    offset: '',
  };
}

function isCut(source: Relation): boolean {
  return source.limit !== '' || source.offset !== '';
}

/** The SELECT. Its ORDER BY is written when it decides which rows there are, or when `ordered` asks for it. */
export function render(source: Relation, ordered = false): string {
  const columns =
    source.select && [...source.select].map(([name, { sql }]) => (name === sql ? sql : `${sql} AS ${name}`));
  const groupBy = source.groupBy !== '' && `GROUP BY ${source.groupBy}`;
  const { from, where, mark } = threaded(source, [...(source.select?.values() ?? [])].some(callsJs));
  const parts = [
    source.ctes.length > 0 && `WITH ${source.recursive ? 'RECURSIVE ' : ''}${source.ctes.join(', ')}`,
    `SELECT ${columns?.join(', ') ?? '*'}`,
    `FROM ${from}`,
    where.length > 0 && `WHERE ${allOf(where)}`,
    groupBy,
    mark,
    source.order.length > 0 && (ordered || isCut(source)) && `ORDER BY ${orderBy(source.order)}`,
    source.limit !== '' && `LIMIT ${source.limit}`,
    source.offset !== '' && `OFFSET ${source.offset}`,
  ];
  return parts.filter((part) => part !== false).join(' ');
}

function allOf(conditions: readonly Sql[]): string {
  return conditions.map(({ sql }) => sql).join(' AND ');
}

function callsJs({ calls }: Sql): boolean {
  return calls.has('js');
}

/** The part of a SELECT that decides which rows it reads, marked where these are read in one thread. */
interface Threaded {
  readonly from: string;
  readonly where: readonly Sql[];
  readonly mark: string | false;
}

/**
 * Conditions that call no functions in JavaScript stand below the sample: a scan leaves out what they leave out, and products become joins
 * by them. Those that call some may be what makes a join of a product: then its sides are sampled.
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
 * A FROM item with all columns of another one and some more.
 *
 * @param items their SQL, with the names of those that have one
 */
export function withColumns(from: string, items: readonly Sql[]): string {
  const added = `SELECT *, ${items.map(({ sql }) => sql).join(', ')} FROM`;
  if (!items.some(callsJs)) return `(${added} ${from})`;
  const rows = threaded({ from, where: [] }, true);
  return `(${added} ${rows.from}${rows.mark || ''})`;
}

/** The relation as an item of a FROM clause. Among its columns are those that it is ordered by, the copies of its times, and the key of late columns. */
export function fromItem(source: Relation): string {
  const bare = !source.select && source.where.length === 0 && source.groupBy === '';
  if (bare && !isCut(source) && source.ctes.length === 0) return source.from;
  return `(${render(withCarriedColumns(source))})`;
}

function withCarriedColumns(source: Relation): Relation {
  if (!source.select) return source;
  const select = new Map(source.select);
  const carried = [...source.order.map(({ column }) => column), ...source.times.values()];
  for (const { key } of source.late?.tables ?? []) carried.push(key);
  for (const { names } of source.fields.values()) carried.push(...names);
  for (const column of carried) if (!select.has(column)) select.set(column, plain(column));
  return { ...source, select };
}

/** A new SELECT from all of the relation, in the same order. */
export function nested(source: Relation): Relation {
  return continued(source, fromItem(source));
}

type Selection = Pick<Relation, 'times' | 'fields' | 'late'> & {
  readonly select: ReadonlyMap<string, Sql>;
};

/** What becomes of times, fields and late columns when these columns are selected from the relation. */
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

/** The relation where the order of its rows means nothing. */
export function unordered(source: Relation): Relation {
  return source.order.length === 0 ? source : { ...(isCut(source) ? nested(source) : source), order: [] };
}

/** The SELECT of a subquery that has the relation's columns and no others, where the order of its rows means nothing. */
export function renderSubquery(source: Relation): string {
  return isCut(source) ? render(source) : render({ ...source, order: [] });
}

/** Names of columns, and constants, as the expressions that they are. */
export function plainColumns(select: ReadonlyMap<string, string>): Map<string, Sql> {
  return new Map([...select].map(([name, sql]) => [name, plain(sql)]));
}

/** The relation with these expressions over its columns as output columns. */
export function project(source: Relation, select: ReadonlyMap<string, Sql>): Relation {
  const reusable = !source.select && source.groupBy === '' && !isCut(source);
  return { ...(reusable ? source : nested(source)), ...selection(source, select) };
}

/**
 * The relation with some of its columns under other names. `select` holds the name of a column, or a
 * constant, for each new name.
 */
export function rename(source: Relation, select: ReadonlyMap<string, string>): Relation {
  const columns = plainColumns(select);
  const selected = selection(source, columns);
  if (!source.select) return source.groupBy === '' ? { ...source, ...selected } : project(source, columns);
  const inner = source.select;
  const used = [...select.values()].filter((sql) => inner.has(sql));
  const sorted = source.order.some((key) => inner.has(key.column));
  if (sorted || new Set(used).size < used.length) return project(source, columns);
  const composed = [...selected.select].map(([name, item]) => [name, inner.get(item.sql) ?? item] as const);
  return { ...source, ...selected, select: new Map(composed) };
}

/** The rows of the relation for which the condition is true. */
export function filter(source: Relation, condition: Sql): Relation {
  const reusable = !source.select && source.groupBy === '' && !isCut(source);
  const base = reusable ? source : nested(source);
  return { ...base, where: [...base.where, condition] };
}

/**
 * The first rows of the relation in its order. The first ones of a union are among the first ones of its parts: DuckDB reads the
 * newest rows of a table first, but not behind a union.
 *
 * @param limit digits, as `offset`; empty for none
 */
export function cut(source: Relation, limit: string, offset: string): Relation {
  const base = isCut(source) ? nested(source) : source;
  const isWhole = base.where.length === 0 && base.groupBy === '';
  if (base.parts.length < 2 || !isWhole || base.order.length === 0 || limit === '')
    return { ...base, limit, offset };
  const first = `ORDER BY ${orderBy(base.order)} LIMIT ${BigInt(limit) + BigInt(offset || 0)}`;
  const parts = base.parts.map((part) => `(${part} ${first})`);
  return { ...base, from: unionOf(parts).from, limit, offset };
}
