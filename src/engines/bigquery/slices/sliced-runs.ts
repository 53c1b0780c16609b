import { LRUCache } from 'lru-cache';
import type { Span } from '../../../base/forms/spans.ts';
import type { Clock } from '../../../base/system/clock.ts';
import type { Log } from '../../../base/terminal/log.ts';
import { microsPerDay } from '../../../sql/values/time-units.ts';
import { minTimestampMicros } from '../../../sql/values/timestamp-text.ts';
import type { Row } from '../../../sql/values/value.ts';
import type { SliceCounts } from '../../engine/engine.ts';
import { errorFields } from '../jobs/error-fields.ts';
import { isOfText, reasonOf } from '../jobs/refused-text.ts';
import { ceilDay, common, daysOf } from '../sliceable/day-span.ts';
import { otherTime, type SlicedTexts, type SliceJob } from '../sliceable/sliced-texts.ts';
import { AnswerError } from '../values/answer-error.ts';
import { bytesOf, SliceStore } from './slice-store.ts';

/** What a source's settings say of slices of its rows. */
export interface SlicedSource {
  /** The column of type TIMESTAMP that has the time of its rows. */
  readonly column: string;
  /** Seconds after which the rows of a day are complete. */
  readonly lateSeconds: number;
  /** Seconds for which a slice is kept at most. */
  readonly sliceSeconds: number;
  /** Days after which rows are deleted: older ones are read each time. */
  readonly retentionDays?: number;
}

/** What a run needs. */
export interface SliceRunner<End> {
  /** The id of the endpoint. */
  readonly endpoint: string;
  readonly signal: AbortSignal;
  /** The most bytes that the query may be billed. */
  readonly maxBytesBilled?: number | undefined;
  /** Runs a job for at most this many rows, or those of the request. */
  run(job: SliceJob, take: (rows: readonly Row[]) => void | Promise<void>, maxRows?: number): Promise<End>;
  /** The bytes that a job would read; those of the query without slices, if there is no job. */
  bytes(job?: SliceJob): Promise<number>;
}

interface SlicedRunsOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Undefined for a source that has no slices. */
  readonly sourceOf: (source: string) => SlicedSource | undefined;
  /** About the most bytes of all slices. */
  readonly maxBytes: number;
}

/** The most days that one job makes. */
const maxMade = 100;
/** The most rows and bytes of a run's parts: they are sent with each run. */
const maxRows = 10_000;
const maxPartBytes = 1_000_000;
/** The most characters of a job's text. BigQuery takes a megabyte. */
const maxText = 900_000;
/** The most bytes of both jobs of a first run, and of the later ones, as parts of those of the query without slices. */
const [firstShare, laterShare] = [1.1, 0.9];

/** Milliseconds for which it is known that a query has no slices, or profits from them. */
const [refusedMs, knownMs] = [3_600_000, 86_400_000];

/** Answers queries from kept parts of finished days, and from the rows of all other times. */
export class SlicedRuns {
  readonly #options: SlicedRunsOptions;
  readonly #store: SliceStore;
  /** Keys of queries that have no slices. */
  readonly #refused: LRUCache<string, true>;
  /** Keys of queries that read less with slices. */
  readonly #profits: LRUCache<string, true>;

  constructor(options: SlicedRunsOptions) {
    const { clock, maxBytes } = options;
    const perf = { now: () => clock.elapsed() };
    this.#options = options;
    this.#store = new SliceStore(clock, Math.max(1, maxBytes));
    this.#refused = new LRUCache({ max: 10_000, ttl: refusedMs, perf });
    this.#profits = new LRUCache({ max: 10_000, ttl: knownMs, perf });
  }

  /** Drops the slices that an endpoint has used; all slices, if none is given. */
  drop(endpoint?: string): void {
    this.#store.drop(endpoint);
  }

  /**
   * Runs a query from slices.
   *
   * @returns undefined if it is to be run as it is written. Then `take` has got no rows
   */
  async run<End extends { readonly truncated: boolean }>(
    texts: readonly SlicedTexts[],
    runner: SliceRunner<End>,
    take: (rows: readonly Row[]) => void | Promise<void>,
  ): Promise<(End & { readonly slices: SliceCounts }) | undefined> {
    const { clock, maxBytes } = this.#options;
    for (const text of texts) {
      const source = this.#options.sourceOf(text.source);
      if (source?.column.toLowerCase() !== text.column.toLowerCase() || maxBytes <= 0) continue;
      if (this.#refused.has(text.key)) continue;
      const now = BigInt(clock.now()) * 1000n;
      const days = common(text.days(now, now - BigInt(source.lateSeconds) * 1_000_000n), stored(source, now));
      if (days !== undefined) return this.#sliced(text, source, days, runner, take);
    }
    return undefined;
  }

  async #sliced<End extends { readonly truncated: boolean }>(
    text: SlicedTexts,
    source: SlicedSource,
    days: Span,
    runner: SliceRunner<End>,
    take: (rows: readonly Row[]) => void | Promise<void>,
  ): Promise<(End & { readonly slices: SliceCounts }) | undefined> {
    const { endpoint } = runner;
    const all = daysOf(days);
    let taken = false;
    try {
      const parts = new Map<bigint, readonly Row[]>();
      for (const day of all) {
        const rows = this.#store.get(text.key, day, { endpoint, maxAgeMs: source.sliceSeconds * 1000 });
        if (rows !== undefined) parts.set(day, rows);
      }
      const kept = parts.size;
      const missing = all.filter((day) => !parts.has(day));
      if (missing.length > 0) {
        const made = await this.#make(text, source, days, missing, runner);
        if (made === undefined) return undefined;
        for (const [day, rows] of made) parts.set(day, rows);
      }
      const rows = all.flatMap((day) => parts.get(day) ?? []);
      if (rows.length > maxRows || bytesOf(rows) > maxPartBytes) return this.#refuse(text, knownMs);
      const end = await runner.run(text.merging(days, rows), async (more) => {
        taken = true;
        await take(more);
      });
      return { ...end, slices: { kept, made: missing.length } };
    } catch (error) {
      runner.signal.throwIfAborted();
      if (taken || !mayBeOfText(error)) throw error;
      if (!passes(error)) this.#refuse(text);
      this.#options.log.warn('BigQuery refused a query over slices, and ran it as it is written', {
        ...errorFields(error),
      });
      return undefined;
    }
  }

  /** Makes the parts of days. Undefined if the query would read more than without them. */
  async #make<End extends { readonly truncated: boolean }>(
    text: SlicedTexts,
    source: SlicedSource,
    days: Span,
    missing: readonly bigint[],
    runner: SliceRunner<End>,
  ): Promise<ReadonlyMap<bigint, readonly Row[]> | undefined> {
    if (missing.length > maxMade) return this.#refuse(text);
    const end = (missing.at(-1) ?? 0n) + microsPerDay;
    const job = text.making(missing, end + BigInt(source.lateSeconds) * 1_000_000n);
    if (job.sql.length > maxText) return this.#refuse(text);
    const { maxBytesBilled = Number.POSITIVE_INFINITY } = runner;
    const isLimited = maxBytesBilled < Number.POSITIVE_INFINITY && missing.length > 1;
    if (isLimited || !this.#profits.has(text.key)) {
      const bytes = [runner.bytes(), runner.bytes(job), runner.bytes(text.merging(days, []))];
      const [plain = 0, making = 0, merging = 0] = await Promise.all(bytes);
      if (making + merging > firstShare * plain || merging > laterShare * plain) return this.#refuse(text);
      // Two jobs must not read what one may not.
      if (Math.max(plain, making + merging) > maxBytesBilled) return undefined;
      this.#profits.set(text.key, true);
    }
    const { drops } = this.#store;
    const parts = new Map<bigint, Row[]>(missing.map((day) => [day, []]));
    let isChecked = false;
    const { truncated } = await runner.run(
      job,
      (rows) => {
        for (const [number, ...row] of rows) {
          if (number === 0n) isChecked = true;
          else parts.get(missing[Number(number) - 1] ?? -1n)?.push(row);
        }
      },
      maxRows,
    );
    if (truncated) return this.#refuse(text, knownMs);
    if (!isChecked) throw new AnswerError('the parts of days are not complete');
    if (this.#store.drops === drops)
      for (const [day, rows] of parts) this.#store.set(text.key, day, rows, runner.endpoint);
    return parts;
  }

  #refuse({ key }: SlicedTexts, ttl = refusedMs): undefined {
    this.#refused.set(key, true, { ttl });
    return undefined;
  }
}

/** Whether another run with the same parts may be accepted: clocks differ a little, and endpoints have other limits. */
function passes(error: unknown): boolean {
  return reasonOf(error) === 'bytesBilledLimitExceeded' || String(error).includes(otherTime);
}

/** The days whose rows can't be deleted soon. */
function stored({ retentionDays }: SlicedSource, now: bigint): Span {
  const from =
    retentionDays === undefined ? minTimestampMicros : now - BigInt(retentionDays - 1) * microsPerDay;
  return { from: ceilDay(from), to: now };
}

/** A job over slices is larger than the query: it may fail where that doesn't. */
function mayBeOfText(error: unknown): boolean {
  return isOfText(error) || ['resourcesExceeded', 'responseTooLarge'].includes(reasonOf(error));
}
