import type { DuckDBConnection } from '@duckdb/node-api';
import { GatewayError } from '../../errors.ts';

/** Connections of one database, opened as they are needed and used again. How many run at a time is the caller's affair. */
export class ConnectionPool {
  readonly #open: () => Promise<DuckDBConnection>;
  readonly #idle: DuckDBConnection[] = [];
  #inUse = 0;
  #closed = false;
  readonly #allGivenBack = Promise.withResolvers<void>();

  constructor(open: () => Promise<DuckDBConnection>) {
    this.#open = open;
  }

  /**
   * Runs some work on a connection of its own.
   *
   * @throws GatewayError BACKEND_UNAVAILABLE when the pool is closed; the signal's reason when it is aborted already
   */
  async use<T>(signal: AbortSignal, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#closed) throw new GatewayError('BACKEND_UNAVAILABLE', 'The engine is stopping');
    this.#inUse++;
    try {
      const connection = this.#idle.pop() ?? (await this.#open());
      try {
        return await work(connection);
      } finally {
        if (this.#closed) connection.closeSync();
        else this.#idle.push(connection);
      }
    } finally {
      if (--this.#inUse === 0 && this.#closed) this.#allGivenBack.resolve();
    }
  }

  /**
   * Closes the idle connections, and those in use as soon as they are given back, which it waits for: closing a database in which
   * one is at work would hold up the process, deaf to signals, until that has ended.
   */
  close(): Promise<void> {
    this.#closed = true;
    for (const connection of this.#idle.splice(0)) connection.closeSync();
    if (this.#inUse === 0) this.#allGivenBack.resolve();
    return this.#allGivenBack.promise;
  }
}
