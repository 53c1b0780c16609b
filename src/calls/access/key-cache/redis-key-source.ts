import type { RedisPlace } from '../../../base/redis/redis-address.ts';
import { RedisLink } from '../../../base/redis/redis-link.ts';
import type { Clock } from '../../../base/system/clock.ts';
import type { Log } from '../../../base/terminal/log.ts';
import { mergedKey, type StoredKey } from '../key/stored-key.ts';
import {
  type KeysInRedis,
  keysName,
  readKeys,
  readVersion,
  redisLookMs,
  writeKeys,
} from '../store/redis-key-store.ts';
import type { KeySource } from './key-cache.ts';

interface RedisKeySourceOptions extends RedisPlace {
  readonly clock: Clock;
  readonly log: Log;
  /** A number from 0 to below 1. */
  readonly random?: () => number;
}

/** Time limit of one check, in milliseconds: callers don't wait for it. */
const timeoutMs = 1_000;

/**
 * The keys in Redis or Valkey, kept up to date in the background. While Redis is unavailable, the last known keys remain.
 * Keys that Redis has lost, by a restart or an eviction, are restored: this program never removes a key from Redis, least
 * of all a revoked one.
 */
export class RedisKeySource implements KeySource {
  readonly #name: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #link: RedisLink;
  readonly #closing = new AbortController();
  readonly #firstCheck = Promise.withResolvers<void>();
  readonly #running: Promise<void>;
  #keys: readonly StoredKey[] | undefined;
  #version: string | undefined;
  #unreadable = '';
  #isAway = false;
  /** Why the last check failed. */
  #reason = 'no answer yet';

  constructor({ url, namespace, clock, log, random = Math.random }: RedisKeySourceOptions) {
    this.#name = keysName(namespace);
    this.#clock = clock;
    this.#log = log;
    this.#link = new RedisLink({ url, namespace, clock, random });
    this.#running = this.#run();
  }

  current(): readonly StoredKey[] | undefined {
    return this.#keys;
  }

  /** Waits for the keys, up to this many milliseconds. Returns whether they are known, and logs it if they aren't. */
  async isKnownWithin(milliseconds: number): Promise<boolean> {
    const late = Promise.withResolvers<void>();
    const timer = this.#clock.after(milliseconds, late.resolve);
    await Promise.race([this.#firstCheck.promise, late.promise]);
    timer.cancel();
    if (this.#keys !== undefined) return true;
    this.#warnAway('stored keys are unknown until Redis returns them');
    return false;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#link.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#check().then(
        () => this.#back(),
        (error: unknown) => this.#away(error),
      );
      await this.#clock.sleep(this.#keys === undefined ? 20 : redisLookMs, signal).catch(() => {});
    }
  }

  async #check(): Promise<void> {
    const version = await this.#link.run(timeoutMs, (client) => readVersion(client, this.#name));
    if (version === this.#version) return;
    const found = await this.#link.run(timeoutMs, (client) => readKeys(client, this.#name));
    this.#warnUnreadable(found);
    const lost = lostIn(found, this.#keys ?? []);
    const there = found.keys.filter(({ id }) => !lost.some((key) => key.id === id));
    this.#keys = [...there, ...lost];
    this.#firstCheck.resolve();
    this.#version = lost.length === 0 ? found.version : await this.#restore(found.version, lost);
  }

  /** Returns undefined if someone else has changed the keys in the meantime, which repeats the check. */
  async #restore(version: string, lost: readonly StoredKey[]): Promise<string | undefined> {
    const written = await this.#link.run(timeoutMs, (client) => writeKeys(client, this.#name, version, lost));
    if (written !== undefined) this.#log.warn('restored keys that Redis had lost', { keys: lost.length });
    return written;
  }

  #warnUnreadable({ unreadable }: KeysInRedis): void {
    const ids = unreadable.join(', ');
    if (ids !== '' && ids !== this.#unreadable) {
      this.#log.error('Redis contains invalid key records, which are ignored', { ids });
    }
    this.#unreadable = ids;
  }

  #back(): void {
    if (this.#isAway) this.#log.warn('Redis is available again: key changes are received');
    this.#isAway = false;
  }

  #away(error: unknown): void {
    this.#reason = error instanceof Error ? error.message : String(error);
    // Until the keys are known, the code that waits for them logs the reason.
    if (this.#keys !== undefined)
      this.#warnAway('key changes are not received until Redis is available again');
  }

  #warnAway(consequence: string): void {
    if (this.#isAway || this.#closing.signal.aborted) return;
    this.#isAway = true;
    this.#log.warn(`Redis is unavailable: ${consequence}`, { reason: this.#reason });
  }
}

/**
 * Keys, rotations and revocations that Redis has lost. Keys are otherwise immutable, so replicas restore the same.
 */
function lostIn({ keys, unreadable }: KeysInRedis, known: readonly StoredKey[]): StoredKey[] {
  const there = new Map(keys.map((key) => [key.id, key]));
  return known.flatMap((key) => {
    const theirs = there.get(key.id);
    if (theirs === undefined) return unreadable.includes(key.id) ? [] : [key];
    const merged = mergedKey(theirs, key);
    return merged === theirs ? [] : [merged];
  });
}
