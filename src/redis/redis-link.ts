import { createClient, type RedisClientType } from '@keyv/redis';
import type { Clock } from '../clock.ts';
import { clientOptions, connectMs } from './client-options.ts';

export type RedisClient = RedisClientType;

/** Redis can't be asked now. */
class RedisAway extends Error {
  override readonly name = 'RedisAway';
}

interface RedisLinkOptions {
  readonly url: string;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  /** Whether it counts as being away, too, when every answer takes longer than is acceptable. */
  readonly isToBeQuick?: boolean;
  /** What is to be done on each new connection before it is used. */
  readonly prepare?: (client: RedisClient) => Promise<void>;
  readonly onUp?: () => void;
  /** Told of every end of a connection, and of every attempt that fails. */
  readonly onAway?: (reason: string) => void;
  /** Told of every command that Redis answers with an error: it is full, holds something else, or doesn't let this user do it. */
  readonly onRefused?: (reason: string) => void;
}

/** How Redis writes errors: a code, then a text. https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors */
const errorOfRedis = /^[A-Z]+ /;

/** What a question may take, in milliseconds: several of them make the wait of one request. */
const quickMs = 16;
/** So many questions in a row, all slower, are no hiccup. */
const slowInARow = 8;
/** Pings of a new connection, of which one must be quick. */
const pings = 10;

/** The time that a command may take is counted in so many parts: a moment in which this process is busy ends only one. */
const parts = 2;

const firstPauseMs = 25;
const longestPauseMs = 1500;
/** A connection that has lasted so long, in milliseconds, is followed by the next one without delay. */
const lastingMs = 5000;

/**
 * A connection to Redis that is there or isn't: nothing ever waits for it to be set up. A command that takes longer than
 * it may ends the connection, with everything that is under way on it, so that nobody else waits. In the background a
 * new one is tried, after growing pauses of at most two seconds, and used once it has shown to be quick.
 */
export class RedisLink {
  readonly #options: RedisLinkOptions;
  readonly #closing = new AbortController();
  readonly #life: Promise<void>;
  #client: RedisClient | undefined;
  #left = () => {};
  #whyAway = 'it has not been reached yet';
  #slow = 0;

  constructor(options: RedisLinkOptions) {
    this.#options = options;
    this.#life = this.#live();
  }

  get isUp(): boolean {
    return this.#client !== undefined;
  }

  /**
   * Runs commands for at most so many milliseconds, in which this process isn't busy with other things.
   *
   * @throws RedisAway when there is no connection, or it takes longer; an error of Redis's own otherwise
   */
  async run<T>(budgetMs: number, commands: (client: RedisClient) => Promise<T>): Promise<T> {
    const client = this.#client;
    if (client === undefined) throw new RedisAway(this.#whyAway);
    const { clock } = this.#options;
    let written: number | undefined;
    const late = Promise.withResolvers<never>();
    let isOver = false;
    let timer = { cancel: () => {} };
    const wait = (left: number) => {
      if (isOver) return;
      if (left > 0) {
        // What has arrived while this process was busy is read before.
        timer = clock.after(budgetMs / parts, () => setImmediate(wait, left - 1));
        return;
      }
      const reason = `it did not answer within ${budgetMs} ms`;
      late.reject(new RedisAway(reason));
      this.#leave(client, reason);
    };
    // The client writes as soon as this turn of the event loop is over.
    setImmediate(() => {
      written = clock.elapsed();
      wait(parts);
    });
    try {
      const result = await Promise.race([commands(client), late.promise]);
      const now = clock.elapsed();
      this.#measure(client, now - (written ?? now));
      return result;
    } catch (error) {
      if (error instanceof Error && errorOfRedis.test(error.message))
        this.#options.onRefused?.(error.message);
      throw error;
    } finally {
      isOver = true;
      timer.cancel();
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#client !== undefined) this.#leave(this.#client, 'the gateway stops');
    await this.#life;
  }

  #measure(client: RedisClient, tookMs: number): void {
    this.#slow = tookMs > quickMs ? this.#slow + 1 : 0;
    if (this.#options.isToBeQuick && this.#slow >= slowInARow) {
      this.#leave(client, `its responses take more than ${quickMs} ms`);
    }
  }

  async #live(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#closing;
    let failures = 0;
    while (!signal.aborted) {
      const client = await this.#connect();
      const since = clock.elapsed();
      if (client !== undefined) await this.#serve(client);
      failures = client !== undefined && clock.elapsed() - since > lastingMs ? 0 : failures + 1;
      await clock.sleep(this.#pauseMs(failures), signal).catch(() => {});
    }
  }

  #pauseMs(failures: number): number {
    return Math.min(longestPauseMs, firstPauseMs * 2 ** failures) * (0.75 + this.#options.random() / 2);
  }

  /** A client that has connected and answers, or undefined. */
  async #connect(): Promise<RedisClient | undefined> {
    const { clock } = this.#options;
    const client: RedisClient = createClient(clientOptions(this.#options.url));
    let reason: string | undefined;
    client.on('error', (error: Error) => {
      reason ??= error.message;
      this.#leave(client, error.message);
    });
    // Until then the socket's own limit holds, and there is nothing yet that could be destroyed.
    let timer = { cancel: () => {} };
    client.once('connect', () => {
      timer = clock.after(connectMs, () => {
        reason ??= `it does not answer within ${connectMs} ms`;
        end(client);
      });
    });
    try {
      await client.connect();
      if (this.#options.isToBeQuick) await expectQuick(client, clock);
      else await ping(client);
      await this.#options.prepare?.(client);
      if (client.isReady && !this.#closing.signal.aborted) return client;
    } catch (error) {
      reason ??= error instanceof Error ? error.message : String(error);
    } finally {
      timer.cancel();
    }
    end(client);
    this.#isAway(reason ?? 'the connection ended');
    return undefined;
  }

  async #serve(client: RedisClient): Promise<void> {
    const left = Promise.withResolvers<void>();
    this.#left = left.resolve;
    this.#slow = 0;
    this.#client = client;
    this.#options.onUp?.();
    if (!client.isReady) this.#leave(client, 'the connection ended');
    await left.promise;
  }

  #leave(client: RedisClient, reason: string): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    end(client);
    this.#left();
    this.#isAway(reason);
  }

  #isAway(reason: string): void {
    this.#whyAway = reason;
    if (!this.#closing.signal.aborted) this.#options.onAway?.(reason);
  }
}

async function ping(client: RedisClient): Promise<void> {
  const answer = await client.ping();
  if (answer !== 'PONG') throw new Error('the server is not Redis');
}

async function expectQuick(client: RedisClient, clock: Clock): Promise<void> {
  for (let tried = 0; tried < pings; tried++) {
    let written = clock.elapsed();
    setImmediate(() => {
      written = clock.elapsed();
    });
    await ping(client);
    if (clock.elapsed() - written <= quickMs) return;
  }
  throw new Error(`its responses take more than ${quickMs} ms`);
}

function end(client: RedisClient): void {
  if (client.isOpen) client.destroy();
}
