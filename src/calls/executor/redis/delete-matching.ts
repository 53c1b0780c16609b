import type { RedisClient, RedisLink } from '../../../base/redis/redis-link.ts';
import { keyOfHead } from '../entries/entry-codec.ts';
import type { InvalidationFilter } from '../entries/entry-store.ts';
import { isInvalidated } from '../entries/is-invalidated.ts';
import type { Names } from './names.ts';
import { withBytes } from './redis-entries.ts';

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
