import { createHash } from 'node:crypto';
import type { CountName } from '../allowances/shared-spending.ts';
import type { InvalidationFilter } from '../entries/entry-store.ts';
import { endpointOfKey } from '../entries/query-key.ts';

/** Names of keys in Redis. */
export interface Names {
  /** Of the entry with this full key: its endpoint, its version and a hash. The entry's bytes contain the full key. */
  entry(key: string): string;
  /** A glob pattern of the entries that may match the filter. */
  entries(filter: InvalidationFilter): string;
  /** The endpoint and version in an entry's name, in the form of a key. */
  endpointKey(entryName: string): string;
  lease(key: string): string;
  /** Of what replicas have counted in a period for an account. */
  spending(count: CountName): string;
  readonly invalidations: string;
  /** Nothing has this name. */
  readonly absent: string;
}

/** Changes with the format of stored entries: gateways with both formats may share a Redis. */
const form = '1';

/** @param namespace without `:` and without a glob's special characters */
export function namesIn(namespace: string): Names {
  const prefix = `${namespace}:entry:${form}:`;
  return {
    entry(key) {
      const { id, version } = endpointOfKey(key);
      return `${prefix}${plain(id)}:${plain(version)}:${hash(key)}`;
    },
    entries({ endpointId, version }) {
      const id = endpointId === undefined ? '*' : plain(endpointId);
      return `${prefix}${id}:${version !== undefined && 'only' in version ? plain(version.only) : '*'}:*`;
    },
    endpointKey(entryName) {
      const [id = '', version = ''] = entryName.slice(prefix.length).split(':').map(decodeURIComponent);
      return `${id}\n${version}`;
    },
    lease: (key) => `${namespace}:lease:${form}:${hash(key)}`,
    spending({ of, period, account }) {
      const kind = of === 'bytes' ? 'billed' : `used-${of}`;
      return `${namespace}:${kind}:${form}:${period.name}:${plain(account)}`;
    },
    invalidations: `${namespace}:drops:${form}`,
    absent: `${namespace}:absent`,
  };
}

function hash(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/** Escapes separators and the special characters of globs. */
function plain(text: string): string {
  return encodeURIComponent(text).replaceAll('*', '%2A');
}
