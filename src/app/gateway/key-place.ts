import { join } from 'node:path';
import { redisPlace } from '../../base/redis/redis-address.ts';
import { systemClock } from '../../base/system/clock.ts';
import type { Log } from '../../base/terminal/log.ts';
import { FileKeySource } from '../../calls/access/key-cache/file-key-source.ts';
import type { KeySource } from '../../calls/access/key-cache/key-cache.ts';
import { FileKeyStore } from '../../calls/access/store/file-key-store.ts';
import type { KeyStore } from '../../calls/access/store/key-store.ts';
import type { Config } from '../../definitions/settings/config.ts';

/** The settings that select the key store. */
export type KeyPlace = Pick<Config, 'keysStore' | 'keysFile' | 'dataDir' | 'redisUrl' | 'cacheNamespace'>;

/** How long the start of a gateway waits for Redis, in milliseconds. */
const startTimeoutMs = 2_000;

/** Opens one kind of key store. */
interface Opener {
  /** The keys for a gateway that runs. */
  readonly source: (place: KeyPlace, log: Log) => KeySource | Promise<KeySource>;
  /** The keys for a command. */
  readonly store: (place: KeyPlace) => KeyStore | Promise<KeyStore>;
}

const openers: Readonly<Record<Config['keysStore'], Opener>> = {
  file: {
    source: (place, log) => new FileKeySource(fileOf(place), systemClock, log),
    store: (place) => new FileKeyStore(fileOf(place)),
  },
  redis: {
    async source(place, log) {
      const { RedisKeySource } = await import('../../calls/access/key-cache/redis-key-source.ts');
      const source = new RedisKeySource({ ...redisOf(place), clock: systemClock, log });
      await source.isKnownWithin(startTimeoutMs);
      return source;
    },
    async store(place) {
      const { RedisKeyStore } = await import('../../calls/access/store/redis-key-store.ts');
      return new RedisKeyStore(redisOf(place), systemClock);
    },
  },
};

/** The keys for a gateway that runs. */
export async function openKeySource(place: KeyPlace, log: Log): Promise<KeySource> {
  return openers[place.keysStore].source(place, log);
}

/** The keys for a command. */
export async function openKeyStore(place: KeyPlace): Promise<KeyStore> {
  return openers[place.keysStore].store(place);
}

/**
 * A note for the operator about the key store, if any: replicas that share Redis have separate key files, unless all
 * are set to the same one.
 */
export function placeNote(place: KeyPlace): string | undefined {
  const { keysStore, keysFile, redisUrl } = place;
  if (keysStore !== 'file' || keysFile !== undefined || redisUrl === undefined) return undefined;
  return `Note: this affects only gateways that read ${fileOf(place)}. Set KEYS_STORE=redis to share keys between all gateways that share Redis.`;
}

function fileOf({ keysFile, dataDir }: KeyPlace): string {
  return keysFile ?? join(dataDir, 'keys.json');
}

function redisOf(keyPlace: KeyPlace) {
  const place = redisPlace(keyPlace);
  // Readers of the settings want both or none.
  if (place === undefined) throw new Error('KEYS_STORE=redis without REDIS_URL');
  return place;
}
