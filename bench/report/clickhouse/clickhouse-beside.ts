import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { stringLiteral } from '../../../src/engines/duckdb/dialect/literal.ts';
import { proveIs } from '../../proof.ts';
import { storeFile } from '../../store/bench-store.ts';
import { type StartedClickhouse, startedClickhouse } from './started-clickhouse.ts';

/**
 * A ClickHouse with the rows of a store's flat table. Its files are removed when this is disposed.
 *
 * @param packages the folder in which it is installed; undefined for none
 */
export async function clickhouseBeside(
  dataDir: string,
  packages: string | undefined,
): Promise<({ readonly clickhouse: StartedClickhouse } & AsyncDisposable) | undefined> {
  if (packages === undefined) return undefined;
  const folder = await mkdtemp(join(packages, 'data-'));
  const remove = () => rm(folder, { recursive: true });
  try {
    const rows = join(folder, 'rows.parquet');
    const stored = await exportFlatRows(storeFile(dataDir), rows);
    const clickhouse = await startedClickhouse({ packages, data: join(folder, 'data'), rows });
    proveIs(clickhouse.rows, stored, 'rows in ClickHouse');
    return {
      clickhouse,
      async [Symbol.asyncDispose]() {
        await clickhouse[Symbol.asyncDispose]();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Writes the flat table to a Parquet file. Returns the number of rows. */
async function exportFlatRows(store: string, file: string): Promise<number> {
  const instance = await DuckDBInstance.create(store, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  try {
    const reader = await connection.runAndReadAll(
      `COPY (FROM flat.edge_logs) TO ${stringLiteral(file)} (FORMAT parquet)`,
    );
    return Number(reader.value(0, 0));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
