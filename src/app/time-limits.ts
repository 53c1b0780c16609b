import type { Config } from '../config.ts';
import type { TimeLimits } from '../ingest/accepted-times.ts';

/** How far the times of rows may be from their arrival. */
export function timeLimits({
  ingestMaxPastDays,
  ingestMaxFutureSeconds,
}: Pick<Config, 'ingestMaxPastDays' | 'ingestMaxFutureSeconds'>): TimeLimits {
  return { maxPastDays: ingestMaxPastDays, maxFutureSeconds: ingestMaxFutureSeconds };
}
