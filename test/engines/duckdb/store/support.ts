import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Source } from '../../../../src/definitions/sources/source.ts';
import { rowDecoder } from '../../../../src/engines/duckdb/run/rows/decode.ts';
import type { RowBatch } from '../../../../src/engines/duckdb/store/insert/row-batch.ts';
import { openStore } from '../../../../src/engines/duckdb/store/open-store.ts';
import type { Store } from '../../../../src/engines/duckdb/store/store.ts';
import { allRowsSql } from '../../../../src/engines/duckdb/store/tables/row-table.ts';
import type { Row } from '../../../../src/sql/values/value.ts';

export { makeSource, sourceOf } from './make-source.ts';

/** A folder that is gone after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'store-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Opens a store that is closed after the test at the latest. */
export async function openTestStore(dataDir: string, ...sources: readonly Source[]): Promise<Store> {
  return await openReadingStore(dataDir, undefined, ...sources);
}

/** The same with further options. */
export async function openTestStoreWith(
  options: Partial<Parameters<typeof openStore>[0]>,
  dataDir: string,
  ...sources: readonly Source[]
): Promise<Store> {
  const store = await openStore({ ...{ dataDir, sources, memoryLimit: '500MB', threads: 2 }, ...options });
  onTestFinished(() => store.close());
  return store;
}

/** The same with files that it may read. */
export async function openReadingStore(
  dataDir: string,
  readable: readonly string[] | undefined,
  ...sources: readonly Source[]
): Promise<Store> {
  const store = await openStore({
    ...{ dataDir, sources, memoryLimit: '500MB', threads: 2 },
    ...(readable !== undefined && { readable }),
  });
  onTestFinished(() => store.close());
  return store;
}

/** All rows of a source, in the order in which DuckDB scans them. */
export async function readRows(store: Store, source: Source, suffix = ''): Promise<Row[]> {
  const connection = await store.connect();
  try {
    const reader = await connection.runAndReadAll(`SELECT * FROM ${allRowsSql(source)} ${suffix}`);
    return reader.getRows().map(rowDecoder(source.columns));
  } finally {
    connection.closeSync();
  }
}

/** One batch of rows in the store's own form. */
export async function* batchOf(...rows: readonly object[]): AsyncGenerator<RowBatch> {
  const text = rows.map((row) => JSON.stringify(row)).join('\n');
  yield { rows: rows.length, parts: [{ rows: rows.length, text }] };
}
