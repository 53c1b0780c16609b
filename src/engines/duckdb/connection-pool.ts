import type { DuckDBConnection } from '@duckdb/node-api';
import { GatewayError } from '../../errors.ts';

export interface PoolLimits {
  /** Connections in use at the same time; a connection runs one query. */
  readonly maxConnections: number;
  /** Callers that may wait for one; further ones are refused. */
  readonly maxWaiting: number;
}

interface Waiting {
  readonly start: (connection: DuckDBConnection) => void;
  readonly fail: (reason: unknown) => void;
}

/** Connections of one database, opened as they are needed and used again. Callers wait in order of arrival. */
export class ConnectionPool {
  readonly #open: () => Promise<DuckDBConnection>;
  readonly #limits: PoolLimits;
  readonly #idle: DuckDBConnection[] = [];
  readonly #waiting = new Set<Waiting>();
  #inUse = 0;
  #closed = false;

  constructor(open: () => Promise<DuckDBConnection>, limits: PoolLimits) {
    this.#open = open;
    this.#limits = limits;
  }

  /**
   * Runs some work on a connection of its own.
   *
   * @throws GatewayError OVERLOADED when too many wait already; the signal's reason when it is aborted first
   */
  async use<T>(signal: AbortSignal, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const connection = await this.#take(signal);
    try {
      return await work(connection);
    } finally {
      this.#giveBack(connection);
    }
  }

  /** Closes the idle connections, and those in use as soon as they are given back. Refuses those who wait. */
  close(): void {
    this.#closed = true;
    for (const waiting of this.#waiting) waiting.fail(closedError());
    this.#waiting.clear();
    for (const connection of this.#idle.splice(0)) connection.closeSync();
  }

  async #take(signal: AbortSignal): Promise<DuckDBConnection> {
    if (this.#closed) throw closedError();
    if (this.#inUse < this.#limits.maxConnections) {
      this.#inUse++;
      try {
        return this.#idle.pop() ?? (await this.#open());
      } catch (error) {
        this.#inUse--;
        throw error;
      }
    }
    if (this.#waiting.size >= this.#limits.maxWaiting) {
      throw new GatewayError('OVERLOADED', 'Too many queries are waiting', { retryAfterSeconds: 1 });
    }
    return this.#wait(signal);
  }

  #wait(signal: AbortSignal): Promise<DuckDBConnection> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#waiting.delete(waiting);
        signal.removeEventListener('abort', leave);
      };
      const waiting: Waiting = {
        start: (connection) => {
          settle();
          resolve(connection);
        },
        fail: (reason) => {
          settle();
          reject(reason);
        },
      };
      const leave = () => waiting.fail(signal.reason);
      signal.addEventListener('abort', leave);
      this.#waiting.add(waiting);
    });
  }

  #giveBack(connection: DuckDBConnection): void {
    const [next] = this.#waiting;
    if (next !== undefined) {
      next.start(connection);
      return;
    }
    this.#inUse--;
    if (this.#closed) connection.closeSync();
    else this.#idle.push(connection);
  }
}

function closedError(): GatewayError {
  return new GatewayError('BACKEND_UNAVAILABLE', 'The engine is stopping');
}
