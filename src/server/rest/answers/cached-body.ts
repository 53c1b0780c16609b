import type { CachedEntry } from '../../../calls/executor/cache/entry-table.ts';
import type { CachedResponse } from '../../http/response-cache/response-cache.ts';
import { cacheHeaders } from './cache-headers.ts';
import { sendBody } from './send-body.ts';
import type { Variant } from './variant.ts';

/** Bytes of a cached response besides its key (measured). Its body is cached with the entry. */
const responseBytes = 200;

/** The response for an endpoint's cached entry, in one of its variants. */
export function cachedBody(endpoint: string, cachedEntry: CachedEntry, { name }: Variant): CachedResponse {
  return {
    calls: [{ endpoint, cachedEntry: new WeakRef(cachedEntry) }],
    logFields: { endpoint, cache: 'hit', rows: cachedEntry.entry.rowCount, engineMs: 0 },
    bytes: responseBytes,
    send(recipient) {
      const { entries, now } = recipient;
      const body = entries[0]?.bodies.get(name);
      if (entries[0] === undefined || body === undefined) return undefined;
      const { madeAt, freshUntil } = entries[0].entry;
      const logFields = { status: 'hit', collapsed: false, madeAt, freshUntil } as const;
      return sendBody(recipient, body, cacheHeaders(logFields, now));
    },
  };
}
