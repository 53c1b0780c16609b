import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '../../../definitions/sources/source.ts';
import { quoteIdentifier } from '../dialect/duck-type.ts';
import { StoreError } from './file/store-error.ts';
import {
  noteNormalisedJson,
  prepareMetadata,
  readStoredColumns,
  type StoredSources,
  writeStoredColumns,
} from './tables/metadata.ts';
import { reshapeColumns } from './tables/reshape.ts';
import { growFlat, reshapeFlat } from './tables/reshape-flat.ts';
import { listTable, oldTables, type RowTable, rowTables } from './tables/row-table.ts';
import { compareSchemas } from './tables/schema-change.ts';
import { unstorableColumns } from './tables/source-table.ts';
import { columnsOfStored, type StoredColumn, storedColumns } from './tables/stored-schema.ts';
import { type HasTable, hasRows, tablesNow } from './tables/table-state.ts';
import type { SnapshotGate } from './transactions/snapshot-gate.ts';
import { inTransaction } from './transactions/transaction.ts';

interface PrepareOptions {
  /** Absent if there are no readers. */
  readonly gate?: Pick<SnapshotGate, 'commit'>;
  /** May throw, which leaves the store unchanged. */
  readonly beforeCommit?: () => Promise<void>;
}

/**
 * Brings the tables into the form of the sources' schemas, all of them or none: creates missing ones and extends those
 * whose schema has grown. Rows of an older format stay where they are, for `moveOldRows`. Throws `StoreError` (`schema`,
 * with every source and column at fault, or `format`).
 */
export async function prepareTables(
  connection: DuckDBConnection,
  sources: readonly Source[],
  { gate, beforeCommit = async () => undefined }: PrepareOptions = {},
): Promise<void> {
  const unstorable = sources.flatMap(unstorableColumns);
  if (unstorable.length > 0) throw new StoreError('schema', unstorable.join('\n'));
  await inTransaction(
    connection,
    () => gate,
    async () => {
      await prepareMetadata(connection);
      const before = { stored: await readStoredColumns(connection), hasTable: await tablesNow(connection) };
      const refusals: string[] = [];
      for (const source of sources) refusals.push(...(await prepareTable(connection, source, before)));
      if (refusals.length > 0) throw new StoreError('schema', refusals.join('\n'));
      await beforeCommit();
    },
  );
}

/** The state of a store before any of its tables is changed. */
interface StoreBefore {
  readonly stored: StoredSources;
  readonly hasTable: HasTable;
}

/** Returns the refusals, if stored rows don't fit. */
async function prepareTable(
  connection: DuckDBConnection,
  source: Source,
  before: StoreBefore,
): Promise<string[]> {
  const stored = before.stored(source.name);
  const wanted = storedColumns(source.columns);
  if (stored !== undefined) {
    await dropEmptyOldTables(connection, source, before.hasTable);
    if (JSON.stringify(stored) === JSON.stringify(wanted)) {
      await makeTables(
        connection,
        rowTables(source).filter((table) => !before.hasTable(table)),
      );
      return [];
    }
    const { refusals, changesTable } = compareSchemas(stored, wanted);
    const isEmpty = !(await holdsRows(connection, source));
    if (!isEmpty && refusals.length > 0) {
      return refusals.map((text) => `${source.file}: ${text}, but the store holds rows of ${source.name}`);
    }
    if (isEmpty) await dropTables(connection, source);
    else if (changesTable) await reshapeTables(connection, source, stored);
  }
  if (stored === undefined) await noteNormalisedJson(connection, source.name);
  await makeTables(connection, rowTables(source));
  await writeStoredColumns(connection, source);
  return [];
}

async function dropEmptyOldTables(
  connection: DuckDBConnection,
  source: Source,
  hasTable: HasTable,
): Promise<void> {
  for (const table of oldTables(source).filter(hasTable)) {
    if (!(await hasRows(connection, table))) await connection.run(`DROP TABLE ${table.sql}`);
  }
}

async function holdsRows(connection: DuckDBConnection, source: Source): Promise<boolean> {
  for (const table of await existingTables(connection, source)) {
    if (await hasRows(connection, table)) return true;
  }
  return false;
}

async function dropTables(connection: DuckDBConnection, source: Source): Promise<void> {
  for (const { sql } of await existingTables(connection, source)) await connection.run(`DROP TABLE ${sql}`);
}

async function reshapeTables(
  connection: DuckDBConnection,
  source: Source,
  stored: readonly StoredColumn[],
): Promise<void> {
  for (const table of await existingTables(connection, source)) {
    const growth = table.schema === 'flat' ? growFlat(table.sql, stored, source.columns) : undefined;
    if (growth === undefined) await replaceTable(connection, table, reshaped(table, stored, source));
    else for (const sql of growth) await connection.run(sql);
  }
}

/** The SELECT list that brings the rows of a table into the form of the schema, and its FROM clause. */
function reshaped(table: RowTable, stored: readonly StoredColumn[], source: Source) {
  if (table.schema === 'flat') return { columns: reshapeFlat(stored, source.columns), from: table.sql };
  const whole = reshapeColumns(stored, source.columns);
  if (table.schema === 'logs') return { columns: whole, from: table.sql };
  const before = listTable({ ...source, columns: columnsOfStored(stored) });
  return { columns: table.values, from: `(SELECT ${whole} FROM (SELECT ${before.whole} FROM ${table.sql}))` };
}

/** Creates missing tables. */
async function makeTables(connection: DuckDBConnection, tables: readonly RowTable[]): Promise<void> {
  for (const { sql, definitions } of tables) {
    await connection.run(`CREATE TABLE IF NOT EXISTS ${sql} (${definitions})`);
  }
}

async function existingTables(connection: DuckDBConnection, source: Source): Promise<readonly RowTable[]> {
  return [...rowTables(source), ...oldTables(source)].filter(await tablesNow(connection));
}

interface ReplacingQuery {
  readonly columns?: string;
  readonly from?: string;
  /** The ORDER BY clause. */
  readonly order?: string;
}

/**
 * Replaces one of a source's tables by a table with the rows of a query, in the present transaction. Readers of the old one
 * are not disturbed. (If rows are deleted and inserted in one transaction, readers in DuckDB 1.5.5 see them twice for a
 * moment.)
 *
 * @param query the new rows: a SELECT list, its FROM clause unless that is the old table, and the order
 */
async function replaceTable(
  connection: DuckDBConnection,
  table: RowTable,
  { columns = table.columns, from = table.sql, order = '' }: ReplacingQuery,
): Promise<void> {
  // No source has this name.
  const temporary = `${table.schema}.${quoteIdentifier(`${table.name} (new)`)}`;
  await connection.run(`CREATE TABLE ${temporary} (${table.definitions})`);
  await connection.run(`INSERT INTO ${temporary} SELECT ${columns} FROM ${from} ${order}`);
  await connection.run(`DROP TABLE ${table.sql}`);
  await connection.run(`ALTER TABLE ${temporary} RENAME TO ${quoteIdentifier(table.name)}`);
}
