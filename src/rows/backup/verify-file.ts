import type { DuckDBConnection } from '@duckdb/node-api';
import { CommandError } from '../../base/errors/command-error.ts';
import { quoteIdentifier } from '../../engines/duckdb/dialect/duck-type.ts';
import { allTables, type TableRows } from '../../engines/duckdb/store/database/held-files.ts';
import { withDatabase } from './backup-database.ts';
import type { OnStep } from './steps.ts';

/** Rows that are read at a time. */
const sliceRows = 1_000_000;

interface VerifyOptions {
  readonly file: string;
  /** The numbers of rows that tables must have. */
  readonly rows: TableRows;
  /** Called after each slice, with its number of rows. May delay the next one, and end the verification by rejecting. */
  readonly onSlice: (rows: number) => Promise<void>;
}

/**
 * Reads all values of all tables, which has DuckDB compare the checksums of all blocks, and compares the numbers of rows.
 *
 * @throws CommandError; DuckDB's errors about damaged blocks; errors of `onSlice`
 */
async function verifyRows(
  connection: DuckDBConnection,
  { file, rows: expected, onSlice }: VerifyOptions,
): Promise<void> {
  const tables = await allTables(connection);
  const names = new Set(tables.map(({ name }) => name));
  const missing = [...expected.keys()].filter((name) => !names.has(name));
  if (missing.length > 0)
    throw new CommandError(`${file} is damaged: it lacks the table ${missing.join(', ')}.`);
  for (const { name, sql } of tables) {
    const columns = await columnsOf(connection, sql);
    const end = await one(connection, `SELECT coalesce(max(rowid) + 1, 0) FROM ${sql}`);
    let count = 0n;
    for (let from = 0n; from < end; from += BigInt(sliceRows)) {
      const slice = await connection.runAndReadAll(
        `SELECT count(*), bit_xor(hash(${columns})) FROM ${sql} WHERE rowid >= ${from} AND rowid < ${from + BigInt(sliceRows)}`,
      );
      const found = BigInt(String(slice.value(0, 0)));
      count += found;
      if (expected.has(name)) await onSlice(Number(found));
    }
    const wanted = expected.get(name);
    if (wanted !== undefined && Number(count) !== wanted)
      throw new CommandError(`${file} is damaged: ${name} has ${count} rows in place of ${wanted}.`);
  }
}

async function columnsOf(connection: DuckDBConnection, sql: string): Promise<string> {
  const reader = await connection.runAndReadAll(`SELECT * FROM ${sql} LIMIT 0`);
  return reader.columnNames().map(quoteIdentifier).join(', ');
}

async function one(connection: DuckDBConnection, sql: string): Promise<bigint> {
  const reader = await connection.runAndReadAll(sql);
  return BigInt(String(reader.value(0, 0)));
}

interface VerifyFileOptions {
  /** The rows that the tables must have. */
  readonly rows: TableRows;
  readonly memoryLimit: string;
  readonly onStep: OnStep;
  /** Called after each slice with the part of the file that it was. Its rejection ends the verification. */
  readonly afterSlice: (part: number) => Promise<void>;
}

/**
 * Opens a file of the store's format for reading only, and verifies it: see `verifyRows`.
 *
 * @throws CommandError; errors of `afterSlice`
 */
export async function verifyFile(
  file: string,
  { rows, memoryLimit, onStep, afterSlice }: VerifyFileOptions,
): Promise<void> {
  const total = [...rows.values()].reduce((sum, count) => sum + count, 0);
  let verified = 0;
  onStep('verifying', 0, total);
  await withDatabase(file, { memoryLimit, isReadOnly: true }, (connection) =>
    verifyRows(connection, {
      ...{ file, rows },
      async onSlice(count) {
        verified += count;
        onStep('verifying', verified, total);
        await afterSlice(count / total);
      },
    }),
  );
}
