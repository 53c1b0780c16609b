import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '../../src/definitions/sources/source.ts';
import { openDatabase } from '../../src/engines/duckdb/store/database/open-database.ts';
import { prepareTables } from '../../src/engines/duckdb/store/prepare-tables.ts';
import { readOrigin, writeOrigin } from '../../src/engines/duckdb/store/tables/metadata.ts';
import { allRowsSql, rowTables, selectFor } from '../../src/engines/duckdb/store/tables/row-table.ts';
import { columnDefinitions } from '../../src/engines/duckdb/store/tables/source-table.ts';
import { moveOldRows } from '../../src/engines/duckdb/store/upkeep/move-old-rows.ts';
import { edgeRowsSql } from './edge-rows.ts';
import { edgeLogsOf, shippedSources } from './shipped-sources.ts';

export interface BenchStoreOptions {
  /** The folder that keeps stores between runs. */
  readonly folder: string;
  /** The number of `edge_logs` rows in a new store. */
  readonly rows: number;
  /** The current time, in microseconds since the epoch. */
  readonly now: bigint;
  readonly onProgress?: (rows: number, expected: number) => void;
}

const day = 86_400_000_000n;
const span = 30n * day;
/** An older store is created again: the rows added since then would no longer be similar to the others. */
const maxAge = 3n * day;
/** Four of DuckDB's row groups. */
const portion = 4 * 122_880;

/**
 * A store of many `edge_logs` rows over the last thirty days: a new one, or that of an earlier run with the missing
 * rows added. Made by SQL instead of the import, which is far faster.
 *
 * @returns the store's folder
 */
export async function benchStore(options: BenchStoreOptions): Promise<string> {
  const dataDir = join(options.folder, `store-of-${options.rows}`);
  const sources = await shippedSources();
  const database = await openDatabase({ dataDir, memoryLimit: '2GB', threads: 2 });
  try {
    const connection = await database.instance.connect();
    await prepareTables(connection, sources);
    await moveOldRows(connection, sources, { onProgress() {} });
    const source = edgeLogsOf(sources);
    const newest = await newestOf(connection, source);
    if (newest === undefined || newest < options.now - maxAge) await recreate(connection, source, options);
    else await bringUpToDate(connection, source, newest, options);
    connection.closeSync();
  } finally {
    database.close();
  }
  return dataDir;
}

/** The only file of a store in this folder. */
export function storeFile(dataDir: string): string {
  return join(dataDir, 'store.duckdb');
}

/** Undefined if there are no rows, or not all of them. */
async function newestOf(connection: DuckDBConnection, source: Source): Promise<bigint | undefined> {
  if ((await readOrigin(connection)) === undefined) return undefined;
  const reader = await connection.runAndReadAll(
    `SELECT epoch_us(max("timestamp")) FROM ${allRowsSql(source)}`,
  );
  const micros = reader.value(0, 0);
  return typeof micros === 'bigint' ? micros : undefined;
}

/** The origin is written last: an incomplete store has none. */
async function recreate(
  connection: DuckDBConnection,
  source: Source,
  { rows, now, onProgress }: BenchStoreOptions,
): Promise<void> {
  const from = now - span;
  for (const { sql } of rowTables(source)) await connection.run(`DELETE FROM ${sql}`);
  for (let made = 0; made < rows; made += portion) {
    onProgress?.(made, rows);
    const count = Math.min(portion, rows - made);
    const at = (number: number) => from + (span * BigInt(number)) / BigInt(rows);
    await insert(connection, source, count, at(made), at(made + count));
  }
  await writeOrigin(connection, 'imported');
  onProgress?.(rows, rows);
}

async function bringUpToDate(
  connection: DuckDBConnection,
  source: Source,
  newest: bigint,
  { rows, now }: BenchStoreOptions,
): Promise<void> {
  const missing = Number(((now - newest) * BigInt(rows)) / span);
  if (missing > 0) await insert(connection, source, missing, newest + 1n, now);
}

async function insert(
  connection: DuckDBConnection,
  source: Source,
  rows: number,
  from: bigint,
  to: bigint,
): Promise<void> {
  await insertRows(connection, source, edgeRowsSql({ rows, from, to, seed: from }));
}

/** Adds the rows of a SELECT to a source, each to the table for its form. */
export async function insertRows(
  connection: DuckDBConnection,
  source: Source,
  select: string,
): Promise<void> {
  await connection.run(`CREATE OR REPLACE TEMP TABLE made (${columnDefinitions(source.columns)})`);
  await connection.run(`INSERT INTO made BY NAME ${select}`);
  for (const table of rowTables(source)) {
    await connection.run(`INSERT INTO ${table.sql} (${table.columns}) ${selectFor(table, 'made')}`);
  }
  await connection.run('DROP TABLE made');
}
