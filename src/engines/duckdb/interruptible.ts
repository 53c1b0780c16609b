import type { DuckDBConnection, DuckDBResultReader } from '@duckdb/node-api';

/** An interrupt that comes before DuckDB has begun is lost, so it is repeated until the query has ended. */
const repeatMs = 20;

/**
 * Runs a query to its end and reads its rows; aborting the signal stops DuckDB within some 20 ms and leaves
 * the connection usable (measured).
 *
 * @throws the signal's reason when it is aborted, else DuckDB's error
 */
export async function runInterruptibly(
  connection: DuckDBConnection,
  sql: string,
  signal: AbortSignal,
): Promise<DuckDBResultReader> {
  signal.throwIfAborted();
  let repeating: NodeJS.Timeout | undefined;
  const interrupt = () => {
    connection.interrupt();
    repeating ??= setInterval(() => connection.interrupt(), repeatMs);
  };
  signal.addEventListener('abort', interrupt);
  try {
    return await connection.runAndReadAll(sql);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', interrupt);
    clearInterval(repeating);
  }
}
