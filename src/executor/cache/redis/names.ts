import { createHash } from 'node:crypto';
import type { InvalidationFilter } from '../entry-store.ts';
import { endpointOfKey } from '../query-key.ts';

/** How things are called in Redis. */
export interface Names {
  /** Of the entry with this full key: its endpoint, its version and a hash. The bytes hold the full key. */
  entry(key: string): string;
  /** A glob pattern of the entries that the filter may be about. */
  entries(filter: InvalidationFilter): string;
  /** Which endpoint and version an entry's name is of, as a key of them. */
  endpointKey(entryName: string): string;
  lease(key: string): string;
  /** Of what replicas were billed on a day for an account. */
  spending(day: string, account: string): string;
  readonly drops: string;
}

/** Changes with the form of what is stored: gateways of both forms may use one Redis. */
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
    spending: (day, account) => `${namespace}:billed:${form}:${day}:${plain(account)}`,
    drops: `${namespace}:drops:${form}`,
  };
}

function hash(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/** The text with nothing in it that separates, or that a glob would take for more than itself. */
function plain(text: string): string {
  return encodeURIComponent(text).replaceAll('*', '%2A');
}
