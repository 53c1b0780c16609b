import type { DuckDBConnection } from '@duckdb/node-api';
import type { FunctionTime } from './function-time.ts';

/** What functions know of the query that calls them: its end, as far as it is known while it runs, and how long they took. */
export interface RunningQuery {
  readonly signal: AbortSignal;
  /** When its signal is aborted at the latest, in milliseconds of the clock that functions look at. */
  readonly endsAt?: number | undefined;
  /** Left out where they are called by one thread. */
  readonly functionTime?: FunctionTime | undefined;
}

/**
 * Which query runs on which connection. DuckDB checks for interrupts between two calls of a function only, each of which is about two
 * thousand rows: functions that know whose rows they compute can end with their query.
 */
export class RunningQueries {
  readonly #byConnection = new Map<number, RunningQuery>();

  /** Runs queries on a connection that has no other meanwhile. */
  async during<T>(connection: DuckDBConnection, query: RunningQuery, work: () => Promise<T>): Promise<T> {
    const { connectionId } = connection.clientContext;
    this.#byConnection.set(connectionId, query);
    try {
      return await work();
    } finally {
      this.#byConnection.delete(connectionId);
    }
  }

  /** @param connectionId of DuckDB */
  on(connectionId: number): RunningQuery | undefined {
    return this.#byConnection.get(connectionId);
  }
}

/** Whether the query must end, even if nothing has told it yet. */
export function isOver({ signal, endsAt = Number.POSITIVE_INFINITY }: RunningQuery, now: number): boolean {
  return signal.aborted || now >= endsAt;
}
