import { endClient, openClient, type RedisClient } from '../../../base/redis/open-client.ts';
import { PrimaryFinder, requirePrimary } from '../../../base/redis/primary.ts';
import type { RedisPlace } from '../../../base/redis/redis-address.ts';
import type { Clock } from '../../../base/system/clock.ts';
import type { StoredKey } from '../key/stored-key.ts';
import { type KeyStore, KeyStoreError } from './key-store.ts';
import { keysName, readKeys, redisLookMs, writeKeys } from './redis-keys.ts';

/** Time limit for reading or changing keys, including all commands, in milliseconds: people wait for it. */
const timeoutMs = 3_000;
/** Retries when someone else has changed the keys in between. */
const maxAttempts = 100;

/** Redis may still execute a command that was sent. */
const mayBeDone = '; the change may have been made: check with `keys list`';

/** Keys in Redis or Valkey, for a single command. */
export class RedisKeyStore implements KeyStore {
  /** A gateway reads the version, then the keys. */
  readonly settleMs = 2 * redisLookMs + 100;
  readonly #place: RedisPlace;
  readonly #clock: Clock;
  readonly #name: string;
  readonly #timeoutMs: number;
  #client: Promise<RedisClient> | undefined;

  constructor(place: RedisPlace, clock: Clock, commandTimeoutMs = timeoutMs) {
    this.#place = place;
    this.#clock = clock;
    this.#timeoutMs = commandTimeoutMs;
    this.#name = keysName(place.namespace);
  }

  async read(): Promise<readonly StoredKey[]> {
    return (await this.#read(this.#end())).keys;
  }

  async put(change: (keys: readonly StoredKey[]) => StoredKey): Promise<StoredKey> {
    const end = this.#end();
    for (let tried = 0; tried < maxAttempts; tried++) {
      const { version, keys } = await this.#read(end);
      const key = change(keys);
      const written = this.#run(end, (client) => writeKeys(client, this.#name, version, [key]), mayBeDone);
      if ((await written) !== undefined) return key;
    }
    throw new KeyStoreError('The keys in Redis keep changing. Try again');
  }

  async close(): Promise<void> {
    // One that is opening ends by itself, in a second at most.
    void this.#client?.then(endClient, () => {});
  }

  async #open(): Promise<RedisClient> {
    const url = await new PrimaryFinder(this.#place, this.#clock).find();
    return await openClient(url, { clock: this.#clock, readyMs: timeoutMs, prepare: requirePrimary });
  }

  /** The end of the time limit, for work that begins now. */
  #end(): number {
    return performance.now() + this.#timeoutMs;
  }

  async #read(end: number) {
    const found = await this.#run(end, (client) => readKeys(client, this.#name));
    if (found.unreadable.length === 0) return found;
    throw new KeyStoreError(
      `${this.#name} in Redis contains invalid key records: ${found.unreadable.join(', ')}. Delete them (HDEL)`,
    );
  }

  /** @param note added to the message when there was no reply */
  async #run<T>(end: number, command: (client: RedisClient) => Promise<T>, note = ''): Promise<T> {
    const late = Promise.withResolvers<never>();
    const onTimeout = () => late.reject(new Error(`no answer within ${this.#timeoutMs} ms${note}`));
    const timer = setTimeout(onTimeout, Math.max(0, end - performance.now()));
    try {
      this.#client ??= this.#open();
      return await Promise.race([this.#client.then(command), late.promise]);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new KeyStoreError(`REDIS_URL: the keys in Redis can't be read or changed: ${reason}`);
    } finally {
      clearTimeout(timer);
    }
  }
}
