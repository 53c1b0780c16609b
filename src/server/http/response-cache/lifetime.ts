import type { CacheFacts } from '../../../calls/executor/executor.ts';

export interface Lifetime {
  readonly ageSeconds: number;
  /** Until they expire; negative when they are stale. */
  readonly ttlSeconds: number;
}

/**
 * The age and the remaining lifetime of rows in whole seconds, both rounded down.
 *
 * @param now in milliseconds since the epoch
 */
export function lifetime(
  { madeAt, freshUntil }: Pick<CacheFacts, 'madeAt' | 'freshUntil'>,
  now: number,
): Lifetime {
  // With clock skew between replicas, rows can have been made in the future.
  return {
    ageSeconds: Math.max(0, Math.floor((now - madeAt) / 1000)),
    ttlSeconds:
      freshUntil === madeAt ? 0 : Math.floor(Math.min(freshUntil - now, freshUntil - madeAt) / 1000),
  };
}
