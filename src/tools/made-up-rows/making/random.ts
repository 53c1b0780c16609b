/** A non-empty list. */
export type NonEmpty<T> = readonly [T, ...T[]];

/** A value and its frequency, relative to the other values of its list. */
export type Weighted<T> = readonly [weight: number, value: T];

/** Random choices. The same source of randomness gives the same choices. */
export class Random {
  readonly #random: () => number;

  /** @param random returns numbers from 0 (included) to 1 (excluded), like `Math.random` */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** From 0 (included) to 1 (excluded). */
  fraction(): number {
    return this.#random();
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.#random() * (max - min + 1));
  }

  /** A random whole number of events with this average. */
  count(expected: number): number {
    return Math.floor(expected + this.#random());
  }

  pick<T>(items: NonEmpty<T>): T {
    return items[Math.floor(this.#random() * items.length)] ?? items[0];
  }

  /** Like `pick`, but the first items are far more likely than the last. */
  pickEarly<T>(items: NonEmpty<T>): T {
    return items[Math.floor(this.#random() ** 2.5 * items.length)] ?? items[0];
  }

  weighted<T>(items: NonEmpty<Weighted<T>>): T {
    let left = this.#random() * items.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of items) {
      left -= weight;
      if (left < 0) return value;
    }
    return items[0][1];
  }

  /** A realistic duration: around `typical`, rarely a third of it, sometimes many times it. */
  duration(typical: number): number {
    const slowness = -Math.log(1 - this.#random());
    return typical * (0.3 + 0.6 * slowness + 0.1 * slowness ** 3);
  }

  hex(length: number): string {
    let digits = '';
    while (digits.length < length) {
      digits += Math.floor(this.#random() * 0x1_0000_0000)
        .toString(16)
        .padStart(8, '0');
    }
    return digits.slice(0, length);
  }

  /** A random UUID (version 4). */
  uuid(): string {
    return asUuid(this.hex(32));
  }
}

/** A UUID of version 4 made of 32 hexadecimal digits, of which six bits are overwritten. */
export function asUuid(digits: string): string {
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    variant + digits.slice(17, 20),
    digits.slice(20, 32),
  ].join('-');
}

/** A small generator of pseudo-random numbers (mulberry32): the same seed gives the same numbers. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
