import type { DuckDBConnection } from '@duckdb/node-api';

/** Runs the task in one transaction: committed when it succeeds, rolled back when it throws. */
export async function inTransaction<T>(connection: DuckDBConnection, task: () => Promise<T>): Promise<T> {
  await connection.run('BEGIN TRANSACTION');
  let result: T;
  try {
    result = await task();
  } catch (error) {
    // A transaction that DuckDB has given up by itself can't be rolled back again; the first error counts.
    await connection.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
  await connection.run('COMMIT');
  return result;
}
