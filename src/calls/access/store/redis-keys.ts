import { randomUUID } from 'node:crypto';
import type { RedisClient } from '../../../base/redis/redis-link.ts';
import { parsedJson } from '../../../base/text/parsed-json.ts';
import { type StoredKey, storedKeyJson, storedKeySchema } from '../key/stored-key.ts';

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
