import type { DuckDBConnection } from '@duckdb/node-api';
import { type Block, blockRows, rewriteStart } from './time-order.ts';
import { inTransaction } from './transaction.ts';

/**
 * Brings the end of a table into timestamp order when it has come too far from it. Readers go on undisturbed.
 * Only for the one writer.
 *
 * @returns how many rows were rewritten
 */
export async function keepTimeOrder(connection: DuckDBConnection, table: string): Promise<number> {
  const start = rewriteStart(await readBlocks(connection, table));
  if (start === undefined) return 0;
  return await inTransaction(connection, async () => {
    const last = await connection.runAndReadAll(`SELECT max(rowid) FROM ${table}`);
    const end = Number(last.value(0, 0));
    // Rows that this transaction adds have row ids far beyond those that are stored.
    const rewritten = `rowid BETWEEN ${start} AND ${end}`;
    await connection.run(
      `INSERT INTO ${table} SELECT * FROM ${table} WHERE ${rewritten} ORDER BY "timestamp"`,
    );
    const deleted = await connection.run(`DELETE FROM ${table} WHERE ${rewritten}`);
    return deleted.rowsChanged;
  });
}

/** The blocks of a table in the order of its rows: one scan of its timestamps, some 5 ns a row. */
export async function readBlocks(connection: DuckDBConnection, table: string): Promise<Block[]> {
  const reader = await connection.runAndReadAll(
    `SELECT min(rowid), count(*), epoch_us(min("timestamp")), epoch_us(max("timestamp"))
     FROM ${table} GROUP BY rowid // ${blockRows} ORDER BY 1`,
  );
  return reader.getRows().map(([start, rows, min, max]) => ({
    start: Number(start),
    rows: Number(rows),
    min: BigInt(String(min)),
    max: BigInt(String(max)),
  }));
}
