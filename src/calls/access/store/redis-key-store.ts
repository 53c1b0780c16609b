import { randomUUID } from 'node:crypto';
import { endClient, openClient, type RedisClient } from '../../../base/redis/open-client.ts';
import { PrimaryFinder, requirePrimary } from '../../../base/redis/primary.ts';
import type { RedisPlace } from '../../../base/redis/redis-address.ts';
import type { Clock } from '../../../base/system/clock.ts';
import { parsedJson } from '../../../base/text/parsed-json.ts';
import { keyUsesJson, keyUsesSchema, type LastUses, laterUses, mergedUses } from '../key/last-uses.ts';
import { type StoredKey, storedKeyJson, storedKeySchema } from '../key/stored-key.ts';
import { type KeyStore, KeyStoreError } from './key-store.ts';

/**
 * The keys in Redis are one hash, so that they are complete or missing. The field of a key is its id, the value is JSON.
 */
export interface KeysInRedis {
  /** Different after each change; empty when there are no keys. */
  readonly version: string;
  readonly keys: readonly StoredKey[];
  /** Ids of values that this program can't parse. They authenticate nobody. */
  readonly unreadable: readonly string[];
}

/** How often a gateway reads the version, in milliseconds. */
export const redisLookMs = 200;

/** @param namespace the first part of every name in Redis */
export function keysName(namespace: string): string {
  return `${namespace}:keys:1`;
}

/** The hash of last uses: the field of a key is its id, the value is JSON. */
function usesName(namespace: string): string {
  return `${namespace}:key-uses:1`;
}

/** Sets the fields that are still as they were read. Returns how many. */
const usesScript = `
local done = 0
for at = 1, #ARGV, 3 do
  if (redis.call('HGET', KEYS[1], ARGV[at]) or '') == ARGV[at + 1] then
    redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 2])
    done = done + 1
  end
end
return done
`;

const versionField = 'version';

/** The version of the keys; empty when there are none. */
export async function readVersion(client: RedisClient, name: string): Promise<string> {
  return (await client.hGet(name, versionField)) ?? '';
}

/** All keys, oldest first. */
export async function readKeys(client: RedisClient, name: string): Promise<KeysInRedis> {
  const { [versionField]: version = '', ...texts } = await client.hGetAll(name);
  const keys: StoredKey[] = [];
  const unreadable: string[] = [];
  for (const [id, text] of Object.entries(texts)) {
    const key = parseKey(text);
    if (key?.id === id) keys.push(key);
    else unreadable.push(id);
  }
  keys.sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1));
  return { version, keys, unreadable };
}

function parseKey(text: string): StoredKey | undefined {
  return storedKeySchema.safeParse(parsedJson(text)).data;
}

const writeScript = `
local version = redis.call('HGET', KEYS[1], '${versionField}')
if (version or '') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], '${versionField}', ARGV[2])
for at = 3, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1]) end
return 1
`;

/**
 * Stores keys, if nobody has changed anything since the version was read.
 *
 * @param before the version that was read
 * @returns the new version; undefined when the version has changed
 */
export async function writeKeys(
  client: RedisClient,
  name: string,
  before: string,
  keys: readonly StoredKey[],
): Promise<string | undefined> {
  const version = randomUUID();
  const fields = keys.flatMap((key) => [key.id, JSON.stringify(storedKeyJson(key))]);
  const written = await client.eval(writeScript, { keys: [name], arguments: [before, version, ...fields] });
  return written === 1 ? version : undefined;
}

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

  async uses(): Promise<LastUses> {
    return (await this.#readUses(this.#end())).uses;
  }

  async addUses(uses: LastUses): Promise<void> {
    const end = this.#end();
    for (let tried = 0; tried < maxAttempts; tried++) {
      const { uses: stored, texts } = await this.#readUses(end);
      const later = laterUses(uses, stored);
      if (later.size === 0) return;
      const merged = mergedUses(stored, later);
      const changes = [...later.keys()].flatMap((id) => [
        id,
        texts[id] ?? '',
        JSON.stringify(keyUsesJson(merged.get(id) ?? new Map())),
      ]);
      const given = { keys: [usesName(this.#place.namespace)], arguments: changes };
      const written = await this.#run(end, (client) => client.eval(usesScript, given));
      if (written === later.size) return;
    }
    throw new KeyStoreError('The last uses of keys in Redis keep changing');
  }

  /** Values that this program can't parse are no uses. They are replaced. */
  async #readUses(end: number) {
    const texts = await this.#run(end, (client) => client.hGetAll(usesName(this.#place.namespace)));
    const uses = new Map(
      Object.entries(texts).map(([id, text]) => [
        id,
        keyUsesSchema.safeParse(parsedJson(text)).data ?? new Map<string, number>(),
      ]),
    );
    return { texts, uses };
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
