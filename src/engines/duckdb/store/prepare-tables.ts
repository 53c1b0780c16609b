import type { DuckDBConnection } from '@duckdb/node-api';
import { plainSettings, type Source } from '../../../definitions/sources/source.ts';
import { quoteIdentifier } from '../dialect/duck-type.ts';
import { ensureMacros } from '../macros/install.ts';
import { StoreError } from './file/store-error.ts';
import { nameInStore, type PlannedSource, planSource, type StoreBefore, tablesOf } from './planned-source.ts';
import { type RefusedSource, refusedSource } from './refused-source.ts';
import { flatTableSql } from './tables/flat-layout.ts';
import { goneLeaves, type Leaf, leavesOf, withConverted } from './tables/leaves.ts';
import {
  noteNormalisedJson,
  prepareMetadata,
  readStoredSources,
  removeStoredColumns,
  renameFacts,
  writeStoredColumns,
} from './tables/metadata.ts';
import { replaceTable } from './tables/replace-table.ts';
import { reshapeColumns } from './tables/reshape.ts';
import { alterFlat, alterLists, reshapeFlat } from './tables/reshape-flat.ts';
import { listTable, oldTables, type RowTable, rowTables } from './tables/row-table.ts';
import { areEqual, followSchema, hasConversions, type TableColumn } from './tables/schema-change.ts';
import { columnsOfStored } from './tables/stored-schema.ts';
import { hasRows, tablesNow } from './tables/table-state.ts';
import type { SnapshotGate } from './transactions/snapshot-gate.ts';
import { inTransaction } from './transactions/transaction.ts';

interface PrepareOptions {
  /** Absent if there are no readers. */
  readonly gate?: Pick<SnapshotGate, 'commit'>;
  /** May throw, which leaves the store unchanged. */
  readonly beforeCommit?: (prepared: PreparedTables) => Promise<void>;
  /** What goes with its values: columns (`source.record.field`) that their sources don't have or can't have, and sources that are gone. */
  readonly drop?: readonly string[] | undefined;
  /** See `ConversionBeside.columns`. By default, none are converted. */
  readonly converted?: ReadonlySet<string>;
}

/** What became of the sources. */
export interface PreparedTables {
  /** Those whose tables have the form of their files. */
  readonly available: readonly Source[];
  /** The same with all columns that their tables have: also those that their files no longer have. */
  readonly physical: readonly Source[];
  /** The others, whose tables are as before. */
  readonly refused: readonly RefusedSource[];
}

/**
 * Brings the tables into the form of the sources' files: see `followSchema`. Sources whose rows don't allow it are left as they
 * are. Rows of an older format stay where they are, for `moveOldRows`. Throws `StoreError` (`format`).
 */
export async function prepareTables(
  connection: DuckDBConnection,
  sources: readonly Source[],
  { gate, beforeCommit = async () => undefined, drop, converted = new Set() }: PrepareOptions = {},
): Promise<PreparedTables> {
  await prepareFunctions(connection, sources);
  return await inTransaction(
    connection,
    () => gate,
    async () => {
      await prepareMetadata(connection);
      const before = await storeBefore(connection);
      const planned = await planAll(connection, sources, before, drop);
      const prepared: PreparedTables = {
        available: planned.filter(({ faults }) => faults.length === 0).map(({ source }) => source),
        physical: planned
          .filter(({ faults }) => faults.length === 0)
          .map(({ source, columns }) => ({ ...source, columns: columnsOfStored(columns) })),
        refused: planned.filter(({ faults }) => faults.length > 0).map(refusedSource),
      };
      await dropSources(connection, sources, before, drop);
      for (const plan of planned)
        if (plan.faults.length === 0) await prepareTable(connection, plan, before, converted);
      await beforeCommit(prepared);
      return prepared;
    },
  );
}

/** What `prepareTables` would do with each source. Changes nothing. */
export async function planSources(
  connection: DuckDBConnection,
  sources: readonly Source[],
  drop?: readonly string[],
): Promise<PlannedSource[]> {
  await prepareFunctions(connection, sources);
  return await planAll(connection, sources, await storeBefore(connection), drop);
}

/** Some conversions need functions, which can't be made in a transaction that changes the store. */
async function prepareFunctions(connection: DuckDBConnection, sources: readonly Source[]): Promise<void> {
  const stored = await readStoredSources(connection);
  const isSource = isNamed(sources);
  for (const source of sources) {
    const name = await nameInStore(connection, source, stored, isSource);
    const columns = stored.get(name?.toLowerCase() ?? '')?.columns ?? [];
    if (hasConversions(followSchema(columns, source.columns))) return await ensureMacros(connection);
  }
}

async function storeBefore(connection: DuckDBConnection): Promise<StoreBefore> {
  return { stored: await readStoredSources(connection), hasTable: await tablesNow(connection) };
}

async function planAll(
  connection: DuckDBConnection,
  sources: readonly Source[],
  before: StoreBefore,
  drop: readonly string[] = [],
): Promise<PlannedSource[]> {
  const isSource = isNamed(sources);
  refuseUnknown(drop, isSource, before);
  const planned: PlannedSource[] = [];
  for (const source of sources)
    planned.push(await planSource(connection, source, before, { isSource, drop }));
  return planned;
}

function isNamed(sources: readonly Source[]): (name: string) => boolean {
  const names = new Set(sources.map(({ name }) => name.toLowerCase()));
  return (name) => names.has(name.toLowerCase());
}

/** @throws StoreError (`schema`) for a name that is none of the store's */
function refuseUnknown(
  drop: readonly string[],
  isSource: (name: string) => boolean,
  { stored }: StoreBefore,
): void {
  for (const path of drop) {
    const [name = ''] = path.toLowerCase().split('.');
    const reason =
      name === path.toLowerCase() && isSource(name)
        ? `${path} has a file. Remove it first, or name a column: ${path}.column`
        : `the store has no source ${name}`;
    if (name === path.toLowerCase() ? isSource(name) || !stored.has(name) : !isSource(name))
      throw new StoreError('schema', `--drop: ${reason}`);
  }
}

/** Drops the tables of sources that are gone. */
async function dropSources(
  connection: DuckDBConnection,
  sources: readonly Source[],
  { stored }: StoreBefore,
  drop: readonly string[] = [],
): Promise<void> {
  for (const name of drop) {
    const gone = stored.get(name.toLowerCase());
    if (gone === undefined || sources.some((source) => source.name.toLowerCase() === name.toLowerCase()))
      continue;
    await dropTables(connection, { ...plainSettings, name: gone.name, file: '', columns: [] });
    await removeStoredColumns(connection, gone.name);
  }
}

async function prepareTable(
  connection: DuckDBConnection,
  plan: PlannedSource,
  { hasTable }: StoreBefore,
  converted: ReadonlySet<string>,
): Promise<void> {
  const { source, storedName, stored, columns } = plan;
  if (storedName === undefined) {
    await noteNormalisedJson(connection, source.name);
    await makeTables(connection, source);
    await writeStoredColumns(connection, source.name, columns);
    return;
  }
  const physical: Source = { ...source, columns: columnsOfStored(columns) };
  const isSame = storedName === source.name && areEqual(stored, columns);
  // Nearly always. Looking for each table by itself takes some milliseconds.
  if (isSame && tablesOf(source).every((table) => hasTable(table) === (table.schema !== 'logs'))) return;
  await dropEmptyOldTables(connection, storedName, source);
  if (storedName !== source.name) await renameTables(connection, storedName, source);
  if (!areEqual(stored, columns)) {
    if (plan.hasRows) await reshapeTables(connection, plan, converted);
    else await dropTables(connection, source);
  }
  await makeTables(connection, plan.hasRows ? physical : source);
  if (!isSame) await writeStoredColumns(connection, source.name, plan.hasRows ? columns : visible(columns));
}

/** The columns of the file: a table without rows gets no others. */
function visible(columns: readonly TableColumn[]): TableColumn[] {
  return columns
    .filter(({ isHidden }) => !isHidden)
    .map((column) => ({ ...column, fields: visible(column.fields) }));
}

async function dropEmptyOldTables(connection: DuckDBConnection, name: string, source: Source): Promise<void> {
  for (const table of oldTables({ ...source, name }).filter(await tablesNow(connection))) {
    if (!(await hasRows(connection, table))) await connection.run(`DROP TABLE ${table.sql}`);
  }
}

/** Gives a source's tables the name that it has now, which may differ in letter case only. */
async function renameTables(connection: DuckDBConnection, storedName: string, source: Source): Promise<void> {
  const isOther = storedName.toLowerCase() !== source.name.toLowerCase();
  if (isOther) {
    const after = tablesOf(source);
    const hasTable = await tablesNow(connection);
    for (const [i, table] of tablesOf({ ...source, name: storedName }).entries()) {
      const name = after[i]?.name ?? source.name;
      if (hasTable(table))
        await connection.run(`ALTER TABLE ${table.sql} RENAME TO ${quoteIdentifier(name)}`);
    }
    await renameFacts(connection, storedName, source.name);
  }
  await removeStoredColumns(connection, storedName);
}

async function dropTables(connection: DuckDBConnection, source: Source): Promise<void> {
  for (const { sql } of await existingTables(connection, source)) await connection.run(`DROP TABLE ${sql}`);
}

async function reshapeTables(
  connection: DuckDBConnection,
  plan: PlannedSource,
  converted: ReadonlySet<string>,
): Promise<void> {
  const { source, storedName = source.name, stored, columns } = plan;
  const leaves = leavesOf(columns);
  const isConverted = (name: string) => converted.has(`${flatTableSql(storedName)} ${name}`);
  const replaced = leaves.flatMap(({ oldName }) =>
    oldName !== undefined && isConverted(oldName) ? [oldName] : [],
  );
  const gone = goneLeaves(stored, columns);
  const physical: Source = { ...source, columns: columnsOfStored(columns) };
  for (const table of await existingTables(connection, physical)) {
    const statements =
      table.schema === 'flat'
        ? alterFlat(table.sql, withConverted(leaves, isConverted), [...gone, ...replaced])
        : table.schema === 'lists'
          ? alterLists(table.sql, leaves, gone)
          : undefined;
    if (statements === undefined) {
      const select = reshaped(table, plan, leaves);
      await replaceTable(connection, table, (made) => [
        `CREATE TABLE ${made} (${table.definitions})`,
        `INSERT INTO ${made} ${select}`,
      ]);
    } else for (const sql of statements) await connection.run(sql);
  }
}

/** The SELECT of the rows of a table in their new form. */
function reshaped(
  table: RowTable,
  { source, stored, columns }: PlannedSource,
  leaves: readonly Leaf[],
): string {
  if (table.schema === 'flat') return `SELECT ${reshapeFlat(leaves)} FROM ${table.sql}`;
  const whole = reshapeColumns(columns);
  if (table.schema === 'logs') return `SELECT ${whole} FROM ${table.sql}`;
  const before = listTable({ ...source, columns: columnsOfStored(stored) });
  return `SELECT ${table.values} FROM (SELECT ${whole} FROM (SELECT ${before.whole} FROM ${table.sql}))`;
}

/** Creates missing tables. */
async function makeTables(connection: DuckDBConnection, source: Source): Promise<void> {
  const hasTable = await tablesNow(connection);
  for (const table of rowTables(source)) {
    if (!hasTable(table)) await connection.run(`CREATE TABLE ${table.sql} (${table.definitions})`);
  }
}

async function existingTables(connection: DuckDBConnection, source: Source): Promise<readonly RowTable[]> {
  return tablesOf(source).filter(await tablesNow(connection));
}
