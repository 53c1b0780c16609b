import type { Clock } from '../system/clock.ts';
import { endClient, openClient, type RedisClient } from './open-client.ts';
import { errorOfRedis, isRefusedHere, PrimaryFinder, requirePrimary } from './primary.ts';
import type { RedisPlace } from './redis-address.ts';

export type { RedisClient } from './open-client.ts';

/** Thrown when Redis is unavailable. */
class RedisAway extends Error {
  override readonly name = 'RedisAway';
}

interface RedisLinkOptions extends RedisPlace {
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  /** Whether a Redis that keeps responding slowly counts as unavailable. */
  readonly isLatencyCritical?: boolean;
  /** Prepares each new connection before it is used. */
  readonly prepare?: (client: RedisClient) => Promise<void>;
  readonly onUp?: () => void;
  /** Called when a connection ends or an attempt to connect fails. */
  readonly onAway?: (reason: string) => void;
  /** Called for every command that Redis rejects, because it is full, contains a value of another type, or denies permission. */
  readonly onRefused?: (reason: string) => void;
}

/** The acceptable time of a command, in milliseconds. One request waits for several. */
const acceptableMs = 16;
/** This many consecutive slow commands are more than a short disturbance. */
const maxConsecutiveSlow = 8;
/** Maximum number of pings on a new connection, of which one must be quick. */
const maxPings = 10;

/** A timeout is counted in this many parts, because a busy period of this process delays a timer and ends only one part. */
const parts = 2;

const firstPauseMs = 25;
const maxPauseMs = 1500;
/** How often a connection is checked to be to the primary, and by so many checks whether that has moved. */
const [checkMs, checksPerFind] = [1000, 5];
/** After a connection of at least this duration, in milliseconds, the next attempt is not delayed. */
const stableMs = 5000;

/**
 * A connection to Redis that is either up or down: no command waits for it. A command that times out ends the
 * connection and all commands in flight on it, so that nobody else waits. New connections are attempted in the
 * background, after growing pauses of at most two seconds, to the server that is the primary then. They are used once they
 * respond quickly.
 */
export class RedisLink {
  readonly #options: RedisLinkOptions;
  readonly #closing = new AbortController();
  readonly #finder: PrimaryFinder;
  /** Of the server of the last connection. */
  #url = '';
  readonly #maintaining: Promise<void>;
  #client: RedisClient | undefined;
  #left = () => {};
  #whyAway = 'it has not been reached yet';
  #slow = 0;

  constructor(options: RedisLinkOptions) {
    this.#options = options;
    this.#finder = new PrimaryFinder(options, options.clock);
    this.#maintaining = this.#maintain();
  }

  get isUp(): boolean {
    return this.#client !== undefined;
  }

  /**
   * Runs commands with a timeout, which excludes time in which this process is busy.
   *
   * @throws RedisAway if there is no connection or the commands time out; Redis's own error otherwise
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
        // First reads what arrived while this process was busy.
        timer = clock.after(budgetMs / parts, () => setImmediate(wait, left - 1));
        return;
      }
      const reason = `it did not answer within ${budgetMs} ms`;
      late.reject(new RedisAway(reason));
      this.#leave(client, reason);
    };
    // The client writes at the end of this turn of the event loop.
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
      if (error instanceof Error && isRefusedHere(error)) this.#leave(client, error.message);
      else if (error instanceof Error && errorOfRedis.test(error.message))
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
    await this.#maintaining;
  }

  #measure(client: RedisClient, tookMs: number): void {
    this.#slow = tookMs > acceptableMs ? this.#slow + 1 : 0;
    if (this.#options.isLatencyCritical && this.#slow >= maxConsecutiveSlow) {
      this.#leave(client, `its responses take more than ${acceptableMs} ms`);
    }
  }

  async #maintain(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#closing;
    let failures = 0;
    while (!signal.aborted) {
      const client = await this.#connect();
      const since = clock.elapsed();
      if (client !== undefined) await this.#serve(client);
      failures = client !== undefined && clock.elapsed() - since > stableMs ? 0 : failures + 1;
      await clock.sleep(this.#pauseMs(failures), signal).catch(() => {});
    }
  }

  #pauseMs(failures: number): number {
    return Math.min(maxPauseMs, firstPauseMs * 2 ** failures) * (0.75 + this.#options.random() / 2);
  }

  /** Returns a connected client that responds, or undefined. */
  async #connect(): Promise<RedisClient | undefined> {
    const { clock, isLatencyCritical, prepare } = this.#options;
    try {
      const url = await this.#finder.find();
      const client = await openClient(url, {
        clock,
        onError: (each, reason) => this.#leave(each, reason),
        prepare: async (each) => {
          if (isLatencyCritical) await expectQuick(each, clock);
          else await ping(each);
          await requirePrimary(each);
          await prepare?.(each);
        },
      });
      this.#url = url;
      if (!this.#closing.signal.aborted) return client;
      endClient(client);
    } catch (error) {
      this.#isAway(error instanceof Error ? error.message : String(error));
    }
    return undefined;
  }

  async #serve(client: RedisClient): Promise<void> {
    const left = Promise.withResolvers<void>();
    this.#left = left.resolve;
    this.#slow = 0;
    this.#client = client;
    this.#options.onUp?.();
    if (!client.isReady) this.#leave(client, 'the connection ended');
    // It rejects only at the end.
    this.#check(client).catch(() => {});
    await left.promise;
  }

  /** Leaves a server that is no longer the primary: reads still succeed there. */
  async #check(client: RedisClient): Promise<void> {
    for (let checks = 1; ; checks++) {
      await this.#options.clock.sleep(checkMs, this.#closing.signal);
      if (this.#client !== client) return;
      try {
        await requirePrimary(client);
      } catch (error) {
        this.#leave(client, error instanceof Error ? error.message : String(error));
      }
      if (!this.#finder.canMove || checks % checksPerFind > 0) continue;
      const url = await this.#finder.find().catch(() => this.#url);
      if (url !== this.#url) this.#leave(client, 'another server has become the primary');
    }
  }

  #leave(client: RedisClient, reason: string): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    endClient(client);
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
  for (let tried = 0; tried < maxPings; tried++) {
    let written = clock.elapsed();
    setImmediate(() => {
      written = clock.elapsed();
    });
    await ping(client);
    if (clock.elapsed() - written <= acceptableMs) return;
  }
  throw new Error(`its responses take more than ${acceptableMs} ms`);
}
