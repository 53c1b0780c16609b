import { cp, rm } from 'node:fs/promises';
import type { Source } from '../../src/definitions/sources/source.ts';
import { openDatabase } from '../../src/engines/duckdb/store/database/open-database.ts';
import { insertRows } from './bench-store.ts';
import { edgeRowsSql } from './edge-rows.ts';

export interface ListRows {
  /** The number of rows to add. */
  readonly rows: number;
  /** The range of their times, in microseconds since the epoch. */
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * A copy of a store of `edge_logs` with additional rows, whose `metadata` has two elements each. It is deleted on
 * disposal.
 */
export async function storeWithLists(
  dataDir: string,
  source: Source,
  { rows, from, to }: ListRows,
): Promise<AsyncDisposable & { readonly dataDir: string }> {
  const copy = `${dataDir}-with-lists`;
  await rm(copy, { recursive: true, force: true });
  await cp(dataDir, copy, { recursive: true });
  const database = await openDatabase({ dataDir: copy, memoryLimit: '2GB', threads: 2 });
  try {
    const connection = await database.instance.connect();
    const single = edgeRowsSql({ rows, from, to, seed: 1n });
    await insertRows(
      connection,
      source,
      `SELECT * REPLACE (metadata || metadata AS metadata) FROM (${single})`,
    );
    connection.closeSync();
  } finally {
    database.close();
  }
  return { dataDir: copy, [Symbol.asyncDispose]: () => rm(copy, { recursive: true, force: true }) };
}
