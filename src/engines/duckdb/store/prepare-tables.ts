import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '../../../sources/source.ts';
import { prepareMetadata, readStoredColumns, writeStoredColumns } from './metadata.ts';
import { replaceTable } from './replace-table.ts';
import { reshapeColumns } from './reshape.ts';
import { compareSchemas } from './schema-change.ts';
import { columnDefinitions, tableSql, unstorableColumns } from './source-table.ts';
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
  const table = tableSql(source.name);
  const stored = await readStoredColumns(connection, source.name);
  if (stored === undefined) {
    await connection.run(`CREATE TABLE ${table} (${columnDefinitions(source.columns)})`);
    await writeStoredColumns(connection, source);
    return [];
  }
  const wanted = storedColumns(source.columns);
  if (JSON.stringify(stored) === JSON.stringify(wanted)) return [];
  if (await isEmpty(connection, table)) {
    await connection.run(`CREATE OR REPLACE TABLE ${table} (${columnDefinitions(source.columns)})`);
  } else {
    const { refusals, changesTable } = compareSchemas(stored, wanted);
    if (refusals.length > 0) {
      return refusals.map((text) => `${source.file}: ${text}, but the store holds rows of ${source.name}`);
    }
    if (changesTable) await replaceTable(connection, source, reshapeColumns(stored, source.columns));
  }
  await writeStoredColumns(connection, source);
  return [];
}

async function isEmpty(connection: DuckDBConnection, table: string): Promise<boolean> {
  const reader = await connection.runAndReadAll(`SELECT 1 FROM ${table} LIMIT 1`);
  return reader.currentRowCount === 0;
}
