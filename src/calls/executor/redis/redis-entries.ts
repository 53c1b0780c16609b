import KeyvRedis, { type RedisConnectionClientType } from '@keyv/redis';
import { Keyv } from 'keyv';
import { memoized } from '../../../base/async/memoized.ts';
import type { RedisClient, RedisLink } from '../../../base/redis/redis-link.ts';
import { type InvalidationFilter, isInvalidated } from '../entries/entry-store.ts';
import { entryMagic, keyOfHead, madeAtDigits, madeAtText } from './entry-codec.ts';
import type { Names } from './names.ts';

/** Conditions for writing an entry. */
interface WriteConditions {
  readonly madeAt: number;
  readonly leaseName: string;
  /** The lease under which the entry was made; empty without one. */
  readonly leaseToken: string;
  readonly invalidationsName: string;
  /** The last invalidation message that this replica has processed. */
  readonly seenInvalidation: string;
}

/** The values that keyv stores. */
interface Stored {
  readonly bytes: Buffer;
  /** Only needed to write. */
  readonly conditions?: WriteConditions;
}

/** This replica must process invalidations before it may write. */
export class UnseenInvalidations extends Error {
  override readonly name = 'UnseenInvalidations';
}

/**
 * Writes an entry atomically, unless
 * - there is an invalidation that this replica hasn't processed, which may apply to the entry;
 * - the lease under which it was made was lost, and another replica has it or has written its result;
 * - a newer entry is there.
 */
const writeScript = `
local newest = redis.call('XREVRANGE', KEYS[3], '+', '-', 'COUNT', 1)
if not newest[1] or newest[1][1] ~= ARGV[5] then return 'unseen' end
local holder = redis.call('GET', KEYS[2])
if ARGV[4] ~= '' and holder ~= ARGV[4] and (holder or redis.call('EXISTS', KEYS[1]) == 1) then
  return 'superseded'
end
local head = redis.pcall('GETRANGE', KEYS[1], 0, ${entryMagic.length + madeAtDigits - 1})
local isEntry = type(head) == 'string' and string.sub(head, 1, ${entryMagic.length}) == '${entryMagic}'
if isEntry and string.sub(head, ${entryMagic.length + 1}) > ARGV[3] then return 'superseded' end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 'kept'
`;

/** The type number of binary-safe strings in the Redis client. */
const blobString = 36;

/** The client, giving strings as bytes. */
export function withBytes(client: RedisClient) {
  return client.withTypeMapping({ [blobString]: Buffer });
}

/** Entries in Redis as bytes, for keyv, over one connection. Throws Redis's errors. */
class RedisEntries {
  readonly #keyv: Keyv<Stored>;

  constructor(client: RedisClient) {
    const connection = withBytes(client) as RedisConnectionClientType;
    const redis = new KeyvRedis<Buffer>(connection, { throwOnErrors: true });
    // The caller gets the error as well.
    redis.on('error', () => {});
    const store = {
      get: async (name: string) => {
        const bytes = await redis.get<Buffer>(name);
        return bytes && { value: { bytes } };
      },
      set: (name: string, { value }: { value: Stored }, ttlMs: number) => write(client, name, value, ttlMs),
      delete: (name: string) => redis.delete(name),
      clear: () => redis.clear(),
    };
    this.#keyv = new Keyv({ store, useKeyPrefix: false, throwOnErrors: true });
    // Bytes stay bytes.
    this.#keyv.serialize = undefined;
    this.#keyv.deserialize = undefined;
  }

  async get(name: string): Promise<Buffer | undefined> {
    return (await this.#keyv.get<Stored>(name))?.bytes;
  }

  /**
   * @returns whether it was written, rather than superseded
   * @throws UnseenInvalidations
   */
  set(name: string, bytes: Buffer, ttlMs: number, conditions: WriteConditions): Promise<boolean> {
    return this.#keyv.set(name, { bytes, conditions }, ttlMs);
  }

  delete(name: string): Promise<boolean> {
    return this.#keyv.delete(name);
  }
}

export const entriesOn = memoized((client: RedisClient) => new RedisEntries(client));

async function write(client: RedisClient, name: string, { bytes, conditions }: Stored, ttlMs: number) {
  if (conditions === undefined) throw new TypeError('an entry is written under conditions only');
  const { madeAt, leaseName, leaseToken, invalidationsName, seenInvalidation } = conditions;
  const outcome = await client.eval(writeScript, {
    keys: [name, leaseName, invalidationsName],
    arguments: [bytes, String(Math.ceil(ttlMs)), madeAtText(madeAt), leaseToken, seenInvalidation],
  });
  if (outcome === 'unseen')
    throw new UnseenInvalidations('there are invalidations that were not applied yet');
  return outcome === 'kept';
}

/** Names that Redis scans in one step. */
const batch = 1000;

/** Time limit of one step, in milliseconds. */
const stepMs = 2000;

/** Bytes that contain the key of most entries. */
const headBytes = 2048;

/**
 * Deletes the entries that match the filter, step by step, and returns how many.
 *
 * @throws as the link does; Redis's error if a cluster is moving the entries to another server
 */
export async function deleteMatching(
  link: RedisLink,
  names: Names,
  filter: InvalidationFilter,
): Promise<number> {
  let deleted = 0;
  let cursor = '0';
  do {
    cursor = await link.run(stepMs, async (client) => {
      const found = await client.scan(cursor, { MATCH: names.entries(filter), COUNT: batch });
      const isMatch = await Promise.all(found.keys.map((name) => matches(client, names, name, filter)));
      const matching = found.keys.filter((_name, index) => isMatch[index]);
      if (matching.length > 0) deleted += await client.unlink(matching);
      return found.cursor;
    });
  } while (cursor !== '0');
  // Entries that a cluster has moved already were not found. It answers for them, and for names that nobody has, with `ASK`.
  await link.run(stepMs, (client) => client.exists(names.absent));
  return deleted;
}

async function matches(
  client: RedisClient,
  names: Names,
  name: string,
  filter: InvalidationFilter,
): Promise<boolean> {
  const { parameters = new Map(), ...others } = filter;
  if (!isInvalidated(names.endpointKey(name), others)) return false;
  if (parameters.size === 0) return true;
  const key = await keyOf(client, name);
  // Other values under an entry's name are useless.
  return key === undefined || isInvalidated(key, filter);
}

/** The full key, from the beginning of an entry. */
async function keyOf(client: RedisClient, name: string): Promise<string | undefined> {
  const head = async (bytes: number) =>
    keyOfHead((await withBytes(client).getRange(name, 0, bytes - 1)) ?? Buffer.alloc(0));
  const key = await head(headBytes);
  const whole = typeof key === 'number' ? await head(key) : key;
  return typeof whole === 'string' ? whole : undefined;
}
