import type { CacheFacts } from '../../executor/executor.ts';

/** The name of the gateway's cache among those on the way to the caller. */
const cacheName = 'endpoint-gateway';

/**
 * What the headers say about where rows come from and how long they may be used, names and values by turns:
 * `Cache-Control` with the whole seconds that are left, `Age` with those since the rows were made, and `Cache-Status`
 * (RFC 9211). Seconds are rounded down.
 *
 * @param now in milliseconds since the epoch
 */
export function cacheHeaders(facts: CacheFacts, now: number): string[] {
  const { status, madeAt, freshUntil } = facts;
  if (status === 'off') {
    return ['Cache-Control', cacheControl(0), 'Cache-Status', `${forwarded(facts, 'bypass')}`];
  }
  // Replicas whose clocks differ can have made the rows a moment from now.
  const age = Math.max(0, Math.floor((now - madeAt) / 1000));
  const ttl = Math.floor(Math.min(freshUntil - now, freshUntil - madeAt) / 1000);
  return [
    'Cache-Control',
    cacheControl(ttl),
    'Age',
    String(age),
    'Cache-Status',
    status === 'hit' ? `${cacheName}; hit; ttl=${ttl}` : notHit(facts, ttl),
  ];
}

function cacheControl(ttl: number): string {
  return `private, max-age=${Math.max(0, ttl)}`;
}

function notHit(facts: CacheFacts, ttl: number): string {
  if (facts.status === 'stale') return `${forwarded(facts, 'stale')}; ttl=${ttl}; detail="stale-if-error"`;
  return forwarded(facts, 'uri-miss');
}

/** Why the engine was asked, and what became of its rows. */
function forwarded({ collapsed, madeAt, freshUntil }: CacheFacts, reason: string): string {
  const isStored = reason !== 'stale' && freshUntil > madeAt;
  return `${cacheName}; fwd=${reason}${isStored ? '; stored' : ''}${collapsed ? '; collapsed' : ''}`;
}
