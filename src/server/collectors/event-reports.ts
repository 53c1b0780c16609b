import type { Clock } from '../../base/system/clock.ts';
import type { Log } from '../../base/terminal/log.ts';
import type { RejectionCause } from '../../rows/ingest/encode/row-validation-error.ts';
import type { AddedRows, Rejections } from '../../rows/ingest/events/event-outcome.ts';
import type { Rejection, SourceConflicts } from '../../rows/ingest/events/parsed-events.ts';

/** Interval of a source's log lines, in milliseconds. */
const intervalMs = 60_000;

/** The outcomes of a source since the last line. */
interface Totals {
  added: number;
  duplicates: number;
  rejected: number;
  conflicts: number;
  /** The cause of the first rejection. Its reason can contain values of the event, which the log doesn't. */
  cause?: RejectionCause;
}

interface EventReportsOptions {
  readonly meter: EventMeter;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** Keeps rejected events. */
  readonly keep: (events: readonly Rejection[]) => void;
}

/** Counts the outcomes of collectors' requests, and logs a line for each source and minute in which there were some. */
export class EventReports {
  readonly #options: EventReportsOptions;
  #totals = new Map<string, Totals>();

  constructor(options: EventReportsOptions) {
    this.#options = options;
  }

  /** @param seconds until the rows were committed */
  added(rows: readonly AddedRows[], seconds: number): void {
    const { meter, clock } = this.#options;
    meter.committed(seconds);
    for (const { source, imported, duplicates, newest } of rows) {
      meter.rows(source, 'added', imported);
      if (duplicates > 0) meter.rows(source, 'duplicate', duplicates);
      meter.lag(source, clock.now() / 1000 - Number(newest) / 1e6);
      const totals = this.#of(source);
      totals.added += imported;
      totals.duplicates += duplicates;
    }
  }

  rejected({ events, counts }: Rejections): void {
    const { meter, keep } = this.#options;
    if (events.length > 0) keep(events);
    for (const { source, cause, count } of counts) {
      meter.rejected(source, cause, count);
      const totals = this.#of(source);
      totals.rejected += count;
      totals.cause ??= cause;
    }
  }

  conflicts(conflicts: readonly SourceConflicts[]): void {
    for (const { source, count } of conflicts) this.#of(source).conflicts += count;
  }

  /** Logs what isn't logged yet. */
  flush(): void {
    const { log } = this.#options;
    const totals = this.#totals;
    this.#totals = new Map();
    for (const [source, { added, duplicates, rejected, conflicts, cause }] of totals) {
      const counts = { source, added, duplicates, ...(conflicts > 0 && { conflicts }) };
      if (rejected === 0 && conflicts > 0)
        log.warn('rows received, and some with values in other_fields', counts);
      else if (rejected === 0) log.info('rows received', counts);
      else log.warn('rows received, and some rejected', { ...counts, rejected, cause: cause ?? '' });
    }
  }

  #of(source: string): Totals {
    if (this.#totals.size === 0) this.#options.clock.after(intervalMs, () => this.flush());
    let totals = this.#totals.get(source);
    if (totals === undefined) {
      totals = { added: 0, duplicates: 0, rejected: 0, conflicts: 0 };
      this.#totals.set(source, totals);
    }
    return totals;
  }
}

/** Counts what collectors send. */
export interface EventMeter {
  /** @param outcome `added`, or `duplicate` for rows that the source has already */
  rows(source: string, outcome: 'added' | 'duplicate', count: number): void;
  rejected(source: string, cause: string, count: number): void;
  /** The seconds from the end of a body's arrival until its rows were committed. */
  committed(seconds: number): void;
  /** The seconds between the newest row of a body and its arrival. */
  lag(source: string, seconds: number): void;
}

export const noEventMeter: EventMeter = { rows() {}, rejected() {}, committed() {}, lag() {} };
