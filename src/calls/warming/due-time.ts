/** The margin for a longer run than the last one, in milliseconds. */
const slackMs = 200;
/** The part of the interval over which runs are spread, and its maximum. */
const spread = 0.05;
const maxSpreadMs = 5_000;

/** An entry that is refreshed at intervals. */
interface RefreshedEntry {
  /** When its rows were complete, in milliseconds since the epoch. */
  readonly madeAt: number;
  /** How long the engine worked for its rows. */
  readonly engineMs: number;
}

/**
 * When to refresh an entry so that its new rows are complete before the old ones reach the age of the interval. This allows
 * for a run as long as the last one, counted from its start, when it read its rows. Entries made at the same time get
 * different due times.
 *
 * @param jitter from 0 to 1
 */
export function dueTime({ madeAt, engineMs }: RefreshedEntry, intervalMs: number, jitter: number): number {
  const early = 2 * engineMs + slackMs + jitter * Math.min(spread * intervalMs, maxSpreadMs);
  // Otherwise, a run that takes as long as the interval would never pause.
  return madeAt + intervalMs - Math.min(early, intervalMs / 2);
}

const firstRetryMs = 1_000;
const maxRetryMs = 60_000;

/**
 * The wait after consecutive failures: it doubles each time, up to half the interval.
 *
 * @param failures from 1
 * @param jitter from 0 to 1
 */
export function retryDelay(failures: number, intervalMs: number, jitter: number): number {
  const first = Math.min(firstRetryMs, intervalMs / 4);
  const delay = Math.min(first * 2 ** (failures - 1), maxRetryMs, intervalMs / 2);
  return delay * (1 - jitter / 4);
}
