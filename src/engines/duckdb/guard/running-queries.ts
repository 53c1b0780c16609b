import type { DuckDBConnection } from '@duckdb/node-api';
import type { FunctionTime } from './function-time.ts';

/** The query that calls functions: its deadline and the time that its functions took. */
export interface RunningQuery {
  readonly signal: AbortSignal;
  /** The latest time at which its signal is aborted, in milliseconds of the functions' clock. */
  readonly endsAt?: number | undefined;
  /** Absent if they are called by one thread. */
  readonly functionTime?: FunctionTime | undefined;
  /** The bytes of its long rows so far. Absent if its rows are handed out as they come, however many. */
  readonly answer?: { bytes: number } | undefined;
}

/**
 * Finds the query that runs on a connection. DuckDB checks for interrupts only between calls of a function, each with
 * about two thousand rows. Functions that know their query can end with it.
 */
export class RunningQueries {
  readonly #byConnection = new Map<number, RunningQuery>();

  /** Runs a query on a connection that it uses exclusively. */
  async during<T>(connection: DuckDBConnection, query: RunningQuery, work: () => Promise<T>): Promise<T> {
    const { connectionId } = connection.clientContext;
    this.#byConnection.set(connectionId, query);
    try {
      return await work();
    } finally {
      this.#byConnection.delete(connectionId);
    }
  }

  /** @param connectionId DuckDB's id */
  on(connectionId: number): RunningQuery | undefined {
    return this.#byConnection.get(connectionId);
  }
}

/** Whether the query must end, even if its signal has not been aborted yet. */
export function isOver({ signal, endsAt = Number.POSITIVE_INFINITY }: RunningQuery, now: number): boolean {
  return signal.aborted || now >= endsAt;
}
