import type { Clock } from '../../../base/system/clock.ts';
import type { Period, Quantity } from '../../access/caller/allowance.ts';
import { type CalendarPeriod, periodAt } from './calendar-period.ts';
import type { CountName, SharedSpending } from './shared-spending.ts';

/** How long counts wait until they are published together, in milliseconds. */
const publishMs = 1_000;
/** Counts that are published at a time. */
const part = 100;
/** The most counts in memory. Beyond that, those that were published are read again when they are needed. */
const maxCounts = 50_000;

/** What an account has used of something in the present period. */
export class Count implements CountName {
  readonly of: Quantity;
  readonly per: Period;
  readonly account: string;
  #period: CalendarPeriod;
  /** Used in this process. A whole number. */
  own = 0;
  /** Used elsewhere or in earlier runs, as far as this process knows. */
  others = 0;
  /** What calls in progress will use. */
  pending = 0;
  /** Whether others were asked in this period. */
  isKnown = false;
  /** Whether the ledger has another one in its place, or will. */
  isForgotten = false;

  constructor({ of, per, account, period }: CountName) {
    this.of = of;
    this.per = per;
    this.account = account;
    this.#period = period;
  }

  get used(): number {
    return this.own + this.others + this.pending;
  }

  get period(): CalendarPeriod {
    return this.#period;
  }

  /** Begins another period. */
  set period(period: CalendarPeriod) {
    this.#period = period;
    this.own = 0;
    this.others = 0;
  }
}

/** Counts use by periods of the calendar: that of this process, and that of others as far as they have published it. */
export class Ledger {
  readonly #clock: Pick<Clock, 'now' | 'after'>;
  readonly #shared: SharedSpending | undefined;
  readonly #counts = new Map<string, Count>();
  readonly #changed = new Set<Count>();
  #timer: { cancel(): void } | undefined;
  #sweptAt = 0;

  /** @param shared without it, only this process counts */
  constructor(clock: Pick<Clock, 'now' | 'after'>, shared?: SharedSpending) {
    this.#clock = clock;
    this.#shared = shared;
    shared?.onLost?.(() => {
      for (const count of this.#counts.values()) if (count.own > 0) this.#changed.add(count);
      void this.publish();
    });
  }

  /** The count of the present period. When the clock is set back, the period that has begun goes on. */
  of(of: Quantity, per: Period, account: string): Count {
    const name = `${of} ${per} ${account}`;
    let count = this.#counts.get(name);
    if (count === undefined) {
      this.#makeRoom();
      count = new Count({ of, per, account, period: periodAt(per, this.#clock.now()) });
      count.isKnown = this.#shared === undefined;
      this.#counts.set(name, count);
    } else this.#turn(count);
    return count;
  }

  /** Whether the count is still in use. It is then of the present period. */
  isPresent(count: Count): boolean {
    this.#turn(count);
    return !count.isForgotten;
  }

  /** Adds to a count, and publishes it within a second. */
  add(count: Count, amount: number): void {
    this.#turn(count);
    count.own = Math.max(0, count.own + amount);
    if (this.#shared === undefined) return;
    this.#changed.add(count);
    this.#timer ??= this.#clock.after(publishMs, () => void this.publish());
  }

  /** Asks others for those counts for which they were not asked in this period. */
  async know(counts: readonly Count[]): Promise<void> {
    const unknown = counts.filter(({ isKnown }) => !isKnown);
    if (unknown.length > 0) await this.exchange(unknown);
  }

  /** Publishes all counts that have changed. Never rejects. */
  async publish(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    const changed = [...this.#changed];
    this.#changed.clear();
    for (let at = 0; at < changed.length; at += part) await this.exchange(changed.slice(at, at + part));
    this.#sweep();
  }

  /** Publishes counts, and reads those of others, if they are available. */
  async exchange(counts: readonly Count[]): Promise<void> {
    if (this.#shared === undefined) return;
    const asked = counts.map((count) => {
      const { of, per, account, period, isKnown, own } = count;
      // What this process has published before is added to its count first, if it has forgotten it.
      return { count, isFirst: !isKnown, of, per, account, period, own: isKnown ? own : 0 };
    });
    const answers = await this.#shared.exchange(asked);
    for (const [at, { count, isFirst, period }] of asked.entries()) {
      if (count.period !== period) continue;
      const { mine, others } = answers?.[at] ?? { mine: 0, others: 0 };
      if (isFirst && !count.isKnown) {
        count.isKnown = true;
        if (count.own > 0) this.add(count, mine);
        else count.own = mine;
      }
      // Amounts only grow. A smaller one comes from a Redis that has lost data.
      count.others = Math.max(others, count.others);
    }
  }

  #turn(count: Count): void {
    const now = this.#clock.now();
    if (now < count.period.end) return;
    count.period = periodAt(count.per, now);
    count.isKnown = this.#shared === undefined;
  }

  /** Forgets counts of past periods. */
  #sweep(): void {
    const now = this.#clock.now();
    if (now < this.#sweptAt + publishMs * 60) return;
    this.#sweptAt = now;
    for (const [name, count] of this.#counts)
      if (now >= count.period.end && count.pending === 0) this.#forget(name, count);
  }

  #makeRoom(): void {
    if (this.#counts.size < maxCounts) return;
    for (const [name, count] of this.#counts) {
      if (count.pending > 0 || this.#changed.has(count)) continue;
      this.#forget(name, count);
      return;
    }
  }

  #forget(name: string, count: Count): void {
    count.isForgotten = true;
    this.#counts.delete(name);
  }
}
