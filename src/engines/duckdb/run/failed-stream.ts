import type { DuckDBConnection } from '@duckdb/node-api';
import { ResourcesExceeded } from '../guard/resources-exceeded.ts';
import { preparedOnce } from '../store/transactions/prepared-once.ts';

/**
 * Throws DuckDB's error if a streamed query that seems to have ended has failed. After the first rows, DuckDB's binding gives
 * the end of the rows in place of an error (1.5.5). But a failed query aborts its transaction. Its error is lost, so the query
 * runs again.
 *
 * @param connection in a transaction, which is over when this throws
 */
export async function refuseFailedStream(connection: DuckDBConnection, sql: string): Promise<void> {
  try {
    // It reads nothing, and fails in a transaction that was aborted.
    const check = await preparedOnce(connection, 'SELECT 1');
    await check.run();
    return;
  } catch (error) {
    if (!isAborted(error)) throw error;
  }
  await connection.run('ROLLBACK');
  // All columns are computed, and no row is kept.
  await connection.run(`SELECT bit_xor(hash(r)) FROM (${sql}) AS r`);
  throw new ResourcesExceeded('Resources exceeded: the query failed after its first rows');
}

function isAborted(error: unknown): boolean {
  return error instanceof Error && error.message.includes('transaction is aborted');
}
