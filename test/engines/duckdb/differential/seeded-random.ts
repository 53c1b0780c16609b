import type { Value } from '../../../../src/sql/values/value.ts';

/** Values that are the same in every run. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  fraction(): number {
    this.#state = (this.#state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return this.#state / 0x7fffffff;
  }

  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.below(values.length)] ?? values[0];
  }

  maybe<T extends Value>(chanceOfNull: number, value: T): T | null {
    return this.fraction() < chanceOfNull ? null : value;
  }

  int64(limit: number): bigint {
    return BigInt(this.below(limit));
  }

  /** The same elements in another order. */
  shuffled<T>(all: readonly T[]): T[] {
    return all
      .map((element) => ({ element, place: this.fraction() }))
      .sort((a, b) => a.place - b.place)
      .map(({ element }) => element);
  }
}
