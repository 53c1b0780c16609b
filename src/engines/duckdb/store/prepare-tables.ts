import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '../../../sources/source.ts';
import { prepareMetadata, readStoredColumns, writeStoredColumns } from './metadata.ts';
import { replaceTable } from './replace-table.ts';
import { reshapeColumns } from './reshape.ts';
import { reshapeFlat } from './reshape-flat.ts';
import { type RowTable, rowTables } from './row-table.ts';
import { compareSchemas } from './schema-change.ts';
import { unstorableColumns } from './source-table.ts';
import { StoreError } from './store-error.ts';
import { storedColumns } from './stored-schema.ts';
import { inTransaction } from './transaction.ts';

/** The store is only being opened. */
const nobodyReads = () => undefined;

/**
 * Brings the tables into the form of the sources' schemas, all of them or, when one can't be, none: makes those
 * that are missing and rewrites those whose schema has grown. Throws `StoreError` (`schema`, naming every source
 * and column that is to blame, or `format`).
 */
export async function prepareTables(connection: DuckDBConnection, sources: readonly Source[]): Promise<void> {
  const unstorable = sources.flatMap(unstorableColumns);
  if (unstorable.length > 0) throw new StoreError('schema', unstorable.join('\n'));
  await inTransaction(connection, nobodyReads, async () => {
    await prepareMetadata(connection);
    const refusals: string[] = [];
    for (const source of sources) refusals.push(...(await prepareTable(connection, source)));
    if (refusals.length > 0) throw new StoreError('schema', refusals.join('\n'));
  });
}

/** Gives the refusals, when the stored rows don't fit. */
async function prepareTable(connection: DuckDBConnection, source: Source): Promise<string[]> {
  const stored = await readStoredColumns(connection, source.name);
  if (stored === undefined) {
    await makeTables(connection, source);
    await writeStoredColumns(connection, source);
    return [];
  }
  const wanted = storedColumns(source.columns);
  if (JSON.stringify(stored) === JSON.stringify(wanted)) return [];
  const [flat, list] = rowTables(source);
  if (await areEmpty(connection, [flat, list])) {
    await makeTables(connection, source);
  } else {
    const { refusals, changesTable } = compareSchemas(stored, wanted);
    if (refusals.length > 0) {
      return refusals.map((text) => `${source.file}: ${text}, but the store holds rows of ${source.name}`);
    }
    if (changesTable) {
      await replaceTable(connection, flat, reshapeFlat(stored, source.columns));
      await replaceTable(connection, list, reshapeColumns(stored, source.columns));
    }
  }
  await writeStoredColumns(connection, source);
  return [];
}

/** Makes a source's tables, in the place of empty ones. */
async function makeTables(connection: DuckDBConnection, source: Source): Promise<void> {
  for (const { sql, definitions } of rowTables(source)) {
    await connection.run(`CREATE OR REPLACE TABLE ${sql} (${definitions})`);
  }
}

async function areEmpty(connection: DuckDBConnection, tables: readonly RowTable[]): Promise<boolean> {
  for (const { sql } of tables) {
    const reader = await connection.runAndReadAll(`SELECT 1 FROM ${sql} LIMIT 1`);
    if (reader.currentRowCount > 0) return false;
  }
  return true;
}
