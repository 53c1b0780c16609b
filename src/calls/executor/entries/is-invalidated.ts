import { isDeepStrictEqual } from 'node:util';
import type { InvalidationFilter } from './entry-store.ts';
import { endpointOfKey, parametersOfKey } from './query-key.ts';

/** Whether the filter matches the entry with this key. */
export function isInvalidated(key: string, { endpointId, version, parameters }: InvalidationFilter): boolean {
  const { id, version: ownVersion } = endpointOfKey(key);
  if (endpointId !== undefined && id !== endpointId) return false;
  if (version !== undefined) {
    const isOwn = 'only' in version ? version.only === ownVersion : version.not !== ownVersion;
    if (!isOwn) return false;
  }
  if (parameters === undefined || parameters.size === 0) return true;
  const own = parametersOfKey(key);
  return [...parameters].every(([index, value]) => isDeepStrictEqual(own[index], value));
}
