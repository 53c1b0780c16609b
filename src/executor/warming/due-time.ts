/** How long a run takes more than the one before, at most, and what comes around it, in milliseconds. */
const slackMs = 200;
/** The part of the interval by which runs are spread, and the most that this may be. */
const spread = 0.05;
const maxSpreadMs = 5_000;

/** An entry that is made anew at intervals. */
interface Renewed {
  /** When its rows were there, in milliseconds since the epoch. */
  readonly madeAt: number;
  /** How long the engine worked for them. */
  readonly engineMs: number;
}

/**
 * When an entry has to be made anew so that its rows are there before the last ones have reached the age of the interval:
 * early enough for a run as long as the last one, counted from its beginning, when its rows were read. Entries that were
 * made at the same time are not all due at the same time.
 *
 * @param jitter from 0 to 1
 */
export function dueTime({ madeAt, engineMs }: Renewed, intervalMs: number, jitter: number): number {
  const early = 2 * engineMs + slackMs + jitter * Math.min(spread * intervalMs, maxSpreadMs);
  // A run that takes as long as the interval would otherwise never pause.
  return madeAt + intervalMs - Math.min(early, intervalMs / 2);
}

const firstRetryMs = 1_000;
const maxRetryMs = 60_000;

/**
 * How long to wait after so many failures in a row: twice as long each time, but not longer than half the interval.
 *
 * @param failures from 1
 * @param jitter from 0 to 1
 */
export function retryDelay(failures: number, intervalMs: number, jitter: number): number {
  const first = Math.min(firstRetryMs, intervalMs / 4);
  const delay = Math.min(first * 2 ** (failures - 1), maxRetryMs, intervalMs / 2);
  return delay * (1 - jitter / 4);
}
