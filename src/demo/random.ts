/** A list that has at least one item. */
export type NonEmpty<T> = readonly [T, ...T[]];

/** A value and how often it comes up, in proportion to the other values of its list. */
export type Weighted<T> = readonly [weight: number, value: T];

/** Choices made from one source of randomness, so that the same source gives the same choices. */
export class Random {
  readonly #random: () => number;

  /** @param random gives numbers from 0 (included) to 1 (excluded), as `Math.random` does */
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

  /** Of a number of things that is expected on average, how many there are this time: a whole number. */
  count(expected: number): number {
    return Math.floor(expected + this.#random());
  }

  pick<T>(items: NonEmpty<T>): T {
    return items[Math.floor(this.#random() * items.length)] ?? items[0];
  }

  /** Like `pick`, but the first items come up far more often than the last. */
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

  /** A duration as servers have them: around `typical`, seldom a third of it, now and then many times it. */
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

/** A UUID of version 4 out of 32 hexadecimal digits, six bits of which are lost. */
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
