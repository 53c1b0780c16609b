import type { Clock } from '../../../base/system/clock.ts';
import { minTimestampMicros } from '../../../sql/values/timestamp-text.ts';
import type { Row } from '../../../sql/values/value.ts';
import type { TakeRows } from '../../engine/engine.ts';
import type { JobText, NewestRows } from '../sql/job-text.ts';
import { NeededDays } from './needed-days.ts';
import { type ShareContext, TableShares } from './table-shares.ts';
import { beginOf, daysBetween, daysFrom, widths } from './windows.ts';

/** The end of a run. */
export interface RunEnd {
  readonly truncated: boolean;
}

/** The share of a query's bytes that may be read in vain, because too few rows are found. */
const wastedShare = 0.1;

/** The largest number of rows that is held until it is clear whether there are enough. */
const maxHeldRows = 10_001;

/**
 * Finds the newest rows of a table in its last days first, and in all of its rows if there are too few. Whatever is found
 * in the last days is what would be found in all.
 */
export class NewestFirst {
  readonly #shares: TableShares;
  readonly #needed: NeededDays;

  constructor(clock: Clock) {
    this.#shares = new TableShares(clock);
    this.#needed = new NeededDays(clock);
  }

  /**
   * Looks into the last days.
   *
   * @param now microseconds since the epoch
   * @param run runs a text. Undefined if it can't be run
   * @returns the end of the run whose rows `take` has got. Undefined if all rows have to be read
   */
  async find<End extends RunEnd>(
    newest: NewestRows,
    now: bigint,
    context: ShareContext,
    run: (text: JobText, take: TakeRows) => Promise<End | undefined>,
    take: TakeRows,
  ): Promise<End | undefined> {
    const { count, lower, textFrom } = newest;
    if (count > maxHeldRows) return undefined;
    const end = endOf(newest, now);
    for await (const days of this.#tries(newest, now, end, context)) {
      const from = beginOf(end, days);
      if (from <= (lower ?? minTimestampMicros)) return undefined;
      const rows: Row[] = [];
      const found = await run(textFrom(from), (more) => void rows.push(...more));
      if (found === undefined) return undefined;
      if (!found.truncated && rows.length < count) continue;
      const needed = this.#daysOf(rows.at(-1), newest, end);
      this.#needed.set(keyOf(newest, end), Math.min(days, needed));
      if (rows.length > 0) await take(rows);
      return found;
    }
    return undefined;
  }

  /** Learns from a run over all rows. */
  learn(newest: NewestRows, now: bigint, { rows, truncated, last }: AllRows): void {
    const end = endOf(newest, now);
    const isEnough = truncated || rows >= newest.count;
    const days = isEnough ? this.#daysOf(last, newest, end) : Number.POSITIVE_INFINITY;
    this.#needed.set(keyOf(newest, end), days);
  }

  /** How many days have all rows up to the last one. */
  #daysOf(last: Row | undefined, { timeColumn }: NewestRows, end: bigint): number {
    const time = timeColumn === undefined ? undefined : last?.[timeColumn];
    return typeof time === 'bigint' ? daysFrom(end, time) : Number.POSITIVE_INFINITY;
  }

  /** The numbers of days to look into, one after the other. */
  async *#tries(newest: NewestRows, now: bigint, end: bigint, context: ShareContext): AsyncGenerator<number> {
    const needed = this.#needed.get(keyOf(newest, end)) ?? 0;
    if (!Number.isFinite(needed)) return;
    const tried = needed === 0 ? 0 : needed + 1;
    // A new day may have begun since.
    if (needed > 0) yield* [needed, tried];
    const shares = await this.#shares.of(newest.table, newest.column, now, context).catch(() => undefined);
    context.limits.signal.throwIfAborted();
    let [share, days] = [0, 0];
    for (const width of widths.filter((each) => each > tried)) {
      share += shares?.get(width) ?? 1;
      days += width;
      if (share > wastedShare || days > daysBetween(newest.lower, end) * wastedShare) return;
      yield width;
    }
  }
}

/** Where the newest rows are looked for. */
function endOf({ upper }: NewestRows, now: bigint): bigint {
  return upper !== undefined && upper < now ? upper : now;
}

/** Runs with this key need about as many days. */
function keyOf({ key, lower }: NewestRows, end: bigint): string {
  return `${key} ${daysBetween(lower, end)}`;
}

/** What a run over all rows has found. */
export interface AllRows {
  readonly rows: number;
  readonly truncated: boolean;
  readonly last: Row | undefined;
}
