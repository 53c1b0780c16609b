import type { DuckDBConnection } from '@duckdb/node-api';
import { GatewayError } from '../../../base/errors/errors.ts';

/** Connections to one database, opened on demand and reused. Callers limit how many are used at a time. */
export class ConnectionPool {
  readonly #open: () => Promise<DuckDBConnection>;
  readonly #idle: DuckDBConnection[] = [];
  #inUse = 0;
  #closed = false;
  readonly #allReturned = Promise.withResolvers<void>();

  constructor(open: () => Promise<DuckDBConnection>) {
    this.#open = open;
  }

  /**
   * Runs some work with an exclusive connection. What the work passes to `afterwards` still uses it when the work has ended.
   *
   * @throws GatewayError BACKEND_UNAVAILABLE when the pool is closed; the signal's reason when it is already aborted
   */
  async use<T>(
    signal: AbortSignal,
    work: (connection: DuckDBConnection, afterwards: (end: Promise<void>) => void) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    if (this.#closed) throw new GatewayError('BACKEND_UNAVAILABLE', 'The engine is stopping');
    this.#inUse++;
    let connection: DuckDBConnection | undefined;
    let end: Promise<void> | undefined;
    try {
      connection = this.#idle.pop() ?? (await this.#open());
      return await work(connection, (other) => {
        end = Promise.all([end, other]).then(() => undefined);
      });
    } finally {
      const used = connection;
      const giveBack = () => this.#giveBack(used);
      if (end === undefined) giveBack();
      else void end.then(giveBack, giveBack);
    }
  }

  #giveBack(connection: DuckDBConnection | undefined): void {
    if (this.#closed) connection?.closeSync();
    else if (connection !== undefined) this.#idle.push(connection);
    this.#inUse -= 1;
    if (this.#inUse === 0 && this.#closed) this.#allReturned.resolve();
  }

  /**
   * Closes the idle connections, and waits for those in use to be returned and closed: closing a database while one of
   * its connections runs a query would block the process, including its signal handlers, until the query ends.
   */
  close(): Promise<void> {
    this.#closed = true;
    for (const connection of this.#idle.splice(0)) connection.closeSync();
    if (this.#inUse === 0) this.#allReturned.resolve();
    return this.#allReturned.promise;
  }
}
