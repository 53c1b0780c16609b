import type { TimeData } from '../../../parts/chart/chart-data.ts';
import { type Severity, severities } from '../../../parts/level/level.ts';
import type { TimeRange } from '../../../parts/time/time-range.ts';

/** The span of the chart and of one of its bars, in milliseconds. */
export const [spanMs, bucketMs] = [600_000, 10_000];

/** How many rows there were in each span of time, by severity, over the last minutes. */
export class Rates {
  readonly #counts = new Map<number, Map<Severity, number>>();
  #loadedFrom = Number.NEGATIVE_INFINITY;

  /** @param time of a row, in milliseconds since the epoch */
  add(time: number, severity: Severity, now: number): void {
    // Rows without a time, and those from a far future, have no place.
    if (!(time > now - spanMs - bucketMs && time < now + spanMs)) return;
    const bucket = bucketOf(time);
    const counts = this.#counts.get(bucket) ?? new Map<Severity, number>();
    counts.set(severity, (counts.get(severity) ?? 0) + 1);
    this.#counts.set(bucket, counts);
    // By then some are outdated.
    if (this.#counts.size > (4 * spanMs) / bucketMs) this.#forget(now);
  }

  /** All rows since a time have been added, as far as is known; of the time before, some or none. */
  loadedFrom(time: number): void {
    if (Number.isFinite(time)) this.#loadedFrom = Math.max(this.#loadedFrom, time);
  }

  /** The part of a span whose rows have been added. */
  loadedOf({ from, to }: TimeRange): TimeRange {
    return { from: Math.min(to, Math.max(from, this.#loadedFrom)), to };
  }

  /** The span that a chart shows: until now, or until the newest row if this machine's clock is late. */
  rangeAt(now: number): TimeRange {
    const newest = Math.max(...this.#counts.keys(), bucketOf(now));
    const to = newest + bucketMs;
    return { from: to - spanMs, to };
  }

  /** The bars of a span, each at its middle. */
  dataOf({ from, to }: TimeRange): TimeData {
    const buckets = Array.from({ length: (to - from) / bucketMs }, (_, index) => from + index * bucketMs);
    return {
      times: buckets.map((bucket) => (bucket + bucketMs / 2) / 1000),
      series: severities.map((severity) => ({
        name: severity,
        colour: `--severity-${severity}`,
        values: buckets.map((bucket) => this.#counts.get(bucket)?.get(severity) ?? 0),
      })),
      omitted: 0,
    };
  }

  clear(): void {
    this.#counts.clear();
  }

  #forget(now: number): void {
    for (const bucket of this.#counts.keys()) {
      if (bucket < now - spanMs - bucketMs) this.#counts.delete(bucket);
    }
  }
}

export function bucketOf(time: number): number {
  return Math.floor(time / bucketMs) * bucketMs;
}
