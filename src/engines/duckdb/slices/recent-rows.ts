import { type Span, type Spans, spansWithin } from '../../../base/forms/spans.ts';

/** A minute, about: two to the power of this, in microseconds. */
const shift = 26n;
/** So many minutes are counted. */
const maxMinutes = 512;

/** How many rows of a source were added lately, by their times. */
export class RecentRows {
  readonly #minutes = new Map<bigint, number>();

  /** Rows whose times are in a span, about evenly. Those of a long time are not recent. */
  add({ from, to }: Span, rows: number): void {
    const [first, last] = [from >> shift, (to - 1n) >> shift];
    const count = Number(last - first) + 1;
    if (count > maxMinutes) return;
    for (let minute = first; minute <= last; minute++) {
      const before = this.#minutes.get(minute) ?? 0;
      this.#minutes.delete(minute);
      this.#minutes.set(minute, before + rows / count);
    }
    for (const minute of this.#minutes.keys()) {
      if (this.#minutes.size <= maxMinutes) break;
      this.#minutes.delete(minute);
    }
  }

  /** About how many of them have such times. */
  within(spans: Spans): number {
    let sum = 0;
    for (const [minute, rows] of this.#minutes) {
      const whole = { from: minute << shift, to: (minute + 1n) << shift };
      for (const { from, to } of spansWithin(spans, whole))
        sum += (rows * Number(to - from)) / Number(1n << shift);
    }
    return sum;
  }
}
