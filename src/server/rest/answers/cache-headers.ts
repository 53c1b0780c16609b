import type { CacheFacts } from '../../../calls/executor/executor.ts';

/** The gateway's name in `Cache-Status`, among the caches on the way to the caller. */
const cacheName = 'endpoint-gateway';

/**
 * The headers about the origin and lifetime of rows: `Cache-Control` with the remaining whole seconds, `Age` with those
 * since the rows were made, and `Cache-Status` (RFC 9211). Seconds are rounded down.
 *
 * @param now in milliseconds since the epoch
 * @returns names and values alternate
 */
export function cacheHeaders(logFields: CacheFacts, now: number): string[] {
  const { status, madeAt, freshUntil } = logFields;
  if (status === 'off') {
    return ['Cache-Control', cacheControl(0), 'Cache-Status', cacheStatus(forwarded(logFields, 'bypass'))];
  }
  // With clock skew between replicas, rows can have been made in the future.
  const age = Math.max(0, Math.floor((now - madeAt) / 1000));
  const ttl = Math.floor(Math.min(freshUntil - now, freshUntil - madeAt) / 1000);
  const cache = ['Cache-Control', cacheControl(ttl), 'Age', String(age)];
  return [...cache, 'Cache-Status', cacheStatus(outcome(logFields, ttl))];
}

function cacheControl(ttl: number): string {
  return `private, max-age=${Math.max(0, ttl)}`;
}

function cacheStatus(parameters: string): string {
  return `${cacheName}; ${parameters}`;
}

function outcome(logFields: CacheFacts, ttl: number): string {
  switch (logFields.status) {
    case 'hit':
      return `hit; ttl=${ttl}`;
    case 'stale':
      return `${forwarded(logFields, 'stale')}; ttl=${ttl}; detail="stale-if-error"`;
    default:
      return forwarded(logFields, 'uri-miss');
  }
}

/** Why the request was forwarded to the engine, and whether its rows were stored. */
function forwarded({ status, collapsed, madeAt, freshUntil }: CacheFacts, reason: string): string {
  const isStored = status === 'miss' && freshUntil > madeAt;
  return `fwd=${reason}${isStored ? '; stored' : ''}${collapsed ? '; collapsed' : ''}`;
}
