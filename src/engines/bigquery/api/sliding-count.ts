import type { Clock } from '../../../base/system/clock.ts';

const slots = 10;

/** Counts events within a sliding window, with an error of at most a tenth of its length. */
export class SlidingCount {
  readonly #clock: Clock;
  readonly #slotMs: number;
  /** By the slot's number since the clock's origin. */
  readonly #counts = new Map<number, number>();

  constructor(clock: Clock, windowMs: number) {
    this.#clock = clock;
    this.#slotMs = windowMs / slots;
  }

  add(): void {
    const slot = this.#slot();
    this.#counts.set(slot, (this.#counts.get(slot) ?? 0) + 1);
  }

  /** Takes back the last event. */
  takeBack(): void {
    const slot = Math.max(...this.#counts.keys());
    const count = this.#counts.get(slot) ?? 0;
    if (count > 1) this.#counts.set(slot, count - 1);
    else this.#counts.delete(slot);
  }

  get value(): number {
    const oldest = this.#slot() - slots + 1;
    let sum = 0;
    for (const [slot, count] of this.#counts) {
      if (slot < oldest) this.#counts.delete(slot);
      else sum += count;
    }
    return sum;
  }

  clear(): void {
    this.#counts.clear();
  }

  #slot(): number {
    return Math.floor(this.#clock.elapsed() / this.#slotMs);
  }
}
