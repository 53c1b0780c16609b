import { createClient } from '@keyv/redis';
import { clientOptions } from '../../executor/cache/redis/client-options.ts';
import type { RedisClient } from '../../executor/cache/redis/redis-link.ts';
import type { StoredKey } from '../key/stored-key.ts';
import { type KeyStore, KeyStoreError } from './key-store.ts';
import { keysName, readKeys, redisLookMs, writeKeys } from './redis-keys.ts';

/** What one question may take, in milliseconds. */
const patienceMs = 5_000;
/** Somebody else has changed something in between every time: that doesn't happen so often. */
const mostTries = 100;

/** Keys in Redis or Valkey, for a command that asks once. */
export class RedisKeyStore implements KeyStore {
  /** A gateway asks for the version, then for the keys. */
  readonly settleMs = 2 * redisLookMs + 100;
  readonly #client: RedisClient;
  readonly #name: string;
  #connected: Promise<unknown> | undefined;

  constructor({ url, namespace }: { readonly url: string; readonly namespace: string }) {
    this.#client = createClient(clientOptions(url));
    // Whatever waits for an answer is told of it.
    this.#client.on('error', () => {});
    this.#name = keysName(namespace);
  }

  async read(): Promise<readonly StoredKey[]> {
    return (await this.#read()).keys;
  }

  async put(change: (keys: readonly StoredKey[]) => StoredKey): Promise<StoredKey> {
    for (let tried = 0; tried < mostTries; tried++) {
      const { version, keys } = await this.#read();
      const key = change(keys);
      if ((await this.#ask(() => writeKeys(this.#client, this.#name, version, [key]))) !== undefined)
        return key;
    }
    throw new KeyStoreError('The keys in Redis are changed by somebody else all the time');
  }

  async close(): Promise<void> {
    if (this.#client.isOpen) this.#client.destroy();
  }

  async #read() {
    const found = await this.#ask(() => readKeys(this.#client, this.#name));
    if (found.unreadable.length === 0) return found;
    throw new KeyStoreError(
      `${this.#name} in Redis holds what is no key: ${found.unreadable.join(', ')}. Nobody is let in by it: delete it there (HDEL)`,
    );
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error(`no answer within ${patienceMs} ms`)), patienceMs);
    try {
      this.#connected ??= this.#client.connect();
      return await Promise.race([this.#connected.then(question), late.promise]);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new KeyStoreError(`REDIS_URL: the keys in Redis can't be read or changed: ${reason}`);
    } finally {
      clearTimeout(timer);
    }
  }
}
