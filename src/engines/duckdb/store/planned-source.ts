import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '../../../definitions/sources/source.ts';
import { StoreError } from './file/store-error.ts';
import { columnChanges } from './tables/column-changes.ts';
import { type Fault, lostValues, triedPaths } from './tables/lost-values.ts';
import { readFormerNames, type StoredSources } from './tables/metadata.ts';
import { missingKeys } from './tables/missing-keys.ts';
import { oldTables, type RowTable, rowTables } from './tables/row-table.ts';
import { areEqual, followSchema, type TableColumn } from './tables/schema-change.ts';
import { unstorableColumns } from './tables/source-table.ts';
import { columnsOfStored, type StoredColumn } from './tables/stored-schema.ts';
import { type HasTable, hasRows } from './tables/table-state.ts';

/** The state of a store before any of its tables is changed. */
export interface StoreBefore {
  readonly stored: StoredSources;
  readonly hasTable: HasTable;
}

/** What becomes of a source's tables. */
export interface PlannedSource {
  readonly source: Source;
  /** The name that its tables have. */
  readonly storedName: string | undefined;
  /** The columns that they were made from; none if there are no tables. */
  readonly stored: readonly StoredColumn[];
  /** The columns that they are to have. */
  readonly columns: readonly TableColumn[];
  readonly hasRows: boolean;
  /** The columns that go with their values, by their paths. */
  readonly dropped: readonly string[];
  /** Why it can't be. */
  readonly faults: readonly Fault[];
}

/** Compares a source's file with its tables, and tries on their rows what could lose values. Changes nothing. */
export async function planSource(
  connection: DuckDBConnection,
  source: Source,
  { stored: all, hasTable }: StoreBefore,
  { isSource, drop = [] }: PlanOptions,
): Promise<PlannedSource> {
  const storedName = await nameInStore(connection, source, all, isSource);
  const stored = storedName === undefined ? [] : (all.get(storedName.toLowerCase())?.columns ?? []);
  const before: Source = { ...source, name: storedName ?? source.name, columns: columnsOfStored(stored) };
  const tables = storedName === undefined ? [] : tablesOf(before).filter(hasTable);
  const withRows = await tablesWithRows(connection, tables);
  const own = drop.flatMap((path) => pathWithin(path, source.name) ?? []);
  const planned = { source, storedName, stored, hasRows: withRows.length > 0, dropped: own };
  const unstorable = unstorableColumns(source);
  if (unstorable.length > 0) {
    const faults = unstorable.map(
      (text): Fault => ({ path: undefined, text, examples: [], hidden: undefined }),
    );
    return { ...planned, columns: followSchema(stored, source.columns), faults };
  }
  const kept = await tried(connection, withRows, planned, new Set());
  if (own.length === 0) return { ...planned, ...kept };
  const dropped = new Set(own.map((path) => droppedColumn(source, stored, kept, path)));
  return { ...planned, ...(await tried(connection, withRows, planned, dropped)) };
}

type Tried = Pick<PlannedSource, 'columns' | 'faults'>;

/** Hidden columns whose values don't fit a column of the file that has their name stay hidden. */
async function tried(
  connection: DuckDBConnection,
  tables: readonly RowTable[],
  { source, stored }: Pick<PlannedSource, 'source' | 'stored'>,
  dropped: ReadonlySet<StoredColumn>,
): Promise<Tried> {
  const parked = new Set<StoredColumn>();
  for (;;) {
    const columns = followSchema(stored, source.columns, { parked, dropped });
    if (tables.length === 0) return { columns, faults: [] };
    const faults = areEqual(stored, columns) ? [] : await faultsOf(connection, tables, columns);
    const hidden = faults.flatMap((fault) => fault.hidden ?? []);
    if (hidden.length === 0)
      return { columns, faults: [...faults, ...(await missingKeys(connection, tables, source, columns))] };
    for (const column of hidden) parked.add(column);
  }
}

/** The part of `source.record.field` after the source. */
function pathWithin(path: string, source: string): string | undefined {
  const start = `${source}.`;
  return path.toLowerCase().startsWith(start.toLowerCase()) ? path.slice(start.length) : undefined;
}

/** @throws StoreError (`schema`) if there is no such column, or if the file has it and its values fit */
function droppedColumn(
  { name, file, columns: all }: Source,
  stored: readonly StoredColumn[],
  { columns, faults }: Tried,
  path: string,
): StoredColumn {
  // A fault names the column as the file has it.
  const isAtFault = faults.some((fault) => fault.path?.toLowerCase() === path.toLowerCase());
  const wanted = isAtFault ? columnAt(columns, path) : undefined;
  const atFault = wanted?.from ?? wanted?.replaced;
  if (atFault !== undefined) return atFault;
  const column = columnAt(stored, path);
  if (column === undefined) throw new StoreError('schema', `--drop: ${name} has no stored column ${path}`);
  if (isHiddenIn(columns, column)) return column;
  const isAdded = columnAt(all, path)?.isAdded === true;
  const place = isAdded ? `DATA_DIR/fields/${name}.json, with what events have added,` : file;
  throw new StoreError('schema', `--drop: ${place} has the column ${path}. Remove it there first.`);
}

interface NamedColumn<C> {
  readonly name: string;
  readonly fields: readonly C[];
}

function columnAt<C extends NamedColumn<C>>(columns: readonly C[], path: string): C | undefined {
  for (const column of columns) {
    if (column.name.toLowerCase() === path.toLowerCase()) return column;
    const inner = pathWithin(path, column.name);
    const found = inner === undefined ? undefined : columnAt(column.fields, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isHiddenIn(columns: readonly TableColumn[], stored: StoredColumn): boolean {
  return columns.some(({ from, isHidden, fields }) =>
    from === stored ? isHidden === true : isHiddenIn(fields, stored),
  );
}

/** Rows of an older format are in other tables, until a start with the file that they came with has moved them. */
async function faultsOf(
  connection: DuckDBConnection,
  tables: readonly RowTable[],
  columns: readonly TableColumn[],
): Promise<Fault[]> {
  if (!tables.some(({ schema }) => schema === 'logs')) return await lostValues(connection, tables, columns);
  const tried = triedPaths(columns);
  const text = "the store has rows of an older format: start the gateway once with the source's former file";
  return tried.map((path) => ({ path, text, examples: [], hidden: undefined }));
}

export interface PlanOptions {
  /** Whether there is a source of that name. */
  readonly isSource: (name: string) => boolean;
  /** Columns that go with their values, as `source.record.field`. */
  readonly drop?: readonly string[] | undefined;
}

/** All tables that a source can have. */
export function tablesOf(source: Source): RowTable[] {
  return [...rowTables(source), ...oldTables(source)];
}

async function tablesWithRows(
  connection: DuckDBConnection,
  tables: readonly RowTable[],
): Promise<readonly RowTable[]> {
  const found: RowTable[] = [];
  for (const table of tables) if (await hasRows(connection, table)) found.push(table);
  return found;
}

/** The name of a source's tables: its own, or what it was or will be called in another release. Undefined if it has none. */
export async function nameInStore(
  connection: DuckDBConnection,
  { name, was }: Source,
  stored: StoredSources,
  isSource: PlanOptions['isSource'],
): Promise<string | undefined> {
  const own = stored.get(name.toLowerCase());
  if (own !== undefined) return own.name;
  const former = was === undefined || isSource(was) ? undefined : stored.get(was.toLowerCase());
  if (former !== undefined) return former.name;
  for (const other of stored.values()) {
    if (isSource(other.name)) continue;
    const names = await readFormerNames(connection, other.name);
    if (names.some((each) => each.toLowerCase() === name.toLowerCase())) return other.name;
  }
  return undefined;
}

/** What happens to a source, a phrase each. */
export function changesOfSource(plan: PlannedSource): string[] {
  const { source, storedName, stored, columns, hasRows: has } = plan;
  if (storedName === undefined) return [`${source.name} is new`];
  const isRenamed = storedName.toLowerCase() !== source.name.toLowerCase();
  const renamed = isRenamed ? [`${storedName} is called ${source.name}`] : [];
  if (areEqual(stored, columns)) return renamed;
  if (!has) return [...renamed, `${source.name} has no rows, and gets new tables`];
  const dropped = plan.dropped.map((path) => `the stored values of ${path} are dropped`);
  return [...renamed, ...dropped, ...columnChanges(columns)];
}
