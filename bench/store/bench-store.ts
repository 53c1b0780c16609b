import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { readOrigin, writeOrigin } from '../../src/engines/duckdb/store/metadata.ts';
import { openDatabase } from '../../src/engines/duckdb/store/open-database.ts';
import { prepareTables } from '../../src/engines/duckdb/store/prepare-tables.ts';
import { tableSql } from '../../src/engines/duckdb/store/source-table.ts';
import { loadSources } from '../../src/sources/load-sources.ts';
import { edgeRowsSql } from './edge-rows.ts';

export interface BenchStoreOptions {
  /** The folder in which stores are kept from one run to the next. */
  readonly folder: string;
  readonly sourcesDir: string;
  /** How many rows of `edge_logs` the store has when it is new. */
  readonly rows: number;
  /** The present, in microseconds since the epoch. */
  readonly now: bigint;
  readonly onProgress?: (rows: number, expected: number) => void;
}

const day = 86_400_000_000n;
const span = 30n * day;
/** A store that is older is made again: what was added since would no longer look like the rest. */
const maxAge = 3n * day;
/** Four of DuckDB's row groups. */
const portion = 4 * 122_880;
const table = tableSql('edge_logs');

/**
 * A store of many rows of `edge_logs` over the last thirty days, up to the present: a new one, or the one of an
 * earlier run with the rows of the meantime added. Made by SQL, past the import, because that is far faster.
 *
 * @returns the store's folder
 */
export async function benchStore(options: BenchStoreOptions): Promise<string> {
  const dataDir = join(options.folder, `store-of-${options.rows}`);
  const { sources } = await loadSources(options.sourcesDir);
  const database = await openDatabase({ dataDir, memoryLimit: '2GB', threads: 2 });
  try {
    const connection = await database.instance.connect();
    await prepareTables(connection, sources);
    const newest = await newestOf(connection);
    if (newest === undefined || newest < options.now - maxAge) await makeAnew(connection, options);
    else await bringUpToDate(connection, newest, options);
    connection.closeSync();
  } finally {
    database.close();
  }
  return dataDir;
}

/** The one file of a store in this folder. */
export function storeFile(dataDir: string): string {
  return join(dataDir, 'store.duckdb');
}

/** Undefined when there are no rows, or not all of them. */
async function newestOf(connection: DuckDBConnection): Promise<bigint | undefined> {
  if ((await readOrigin(connection)) === undefined) return undefined;
  const reader = await connection.runAndReadAll(`SELECT epoch_us(max("timestamp")) FROM ${table}`);
  const micros = reader.value(0, 0);
  return typeof micros === 'bigint' ? micros : undefined;
}

/** The origin is written last: a store that was not finished has none. */
async function makeAnew(
  connection: DuckDBConnection,
  { rows, now, onProgress }: BenchStoreOptions,
): Promise<void> {
  const from = now - span;
  await connection.run(`DELETE FROM ${table}`);
  for (let made = 0; made < rows; made += portion) {
    onProgress?.(made, rows);
    const count = Math.min(portion, rows - made);
    const at = (number: number) => from + (span * BigInt(number)) / BigInt(rows);
    await insert(connection, count, at(made), at(made + count));
  }
  await writeOrigin(connection, 'imported');
  onProgress?.(rows, rows);
}

async function bringUpToDate(
  connection: DuckDBConnection,
  newest: bigint,
  { rows, now }: BenchStoreOptions,
): Promise<void> {
  const missing = Number(((now - newest) * BigInt(rows)) / span);
  if (missing > 0) await insert(connection, missing, newest + 1n, now);
}

async function insert(connection: DuckDBConnection, rows: number, from: bigint, to: bigint): Promise<void> {
  const sql = edgeRowsSql({ rows, from, to, seed: from });
  await connection.run(`INSERT INTO ${table} BY NAME ${sql}`);
}
