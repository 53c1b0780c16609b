import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../base/system/clock.ts';
import type { Row, Value } from '../../../sql/values/value.ts';

interface Slice {
  readonly rows: readonly Row[];
  readonly bytes: number;
  /** When it was made, by the clock's `elapsed()`. */
  readonly madeAt: number;
  /** The ids of the endpoints that have used it. */
  readonly endpoints: Set<string>;
}

/** What a slice needs besides its values, in bytes. */
const overhead = 300;

/** Keeps the parts of days. Those that were used least recently leave first. */
export class SliceStore {
  readonly #slices: LRUCache<string, Slice>;
  readonly #clock: Pick<Clock, 'elapsed'>;
  #drops = 0;

  /** @param maxBytes about the most bytes of all slices */
  constructor(clock: Pick<Clock, 'elapsed'>, maxBytes: number) {
    this.#clock = clock;
    this.#slices = new LRUCache({ max: 1_000_000, maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });
  }

  /** Changes when slices are dropped: those whose making has begun before aren't kept. */
  get drops(): number {
    return this.#drops;
  }

  /**
   * The part of a day. Undefined if it isn't kept.
   *
   * @param maxAgeMs an older one isn't used
   */
  get(key: string, day: bigint, { endpoint, maxAgeMs }: { endpoint: string; maxAgeMs: number }) {
    const slice = this.#slices.get(nameOf(key, day));
    if (slice === undefined || this.#clock.elapsed() - slice.madeAt >= maxAgeMs) return undefined;
    slice.endpoints.add(endpoint);
    return slice.rows;
  }

  set(key: string, day: bigint, rows: readonly Row[], endpoint: string): void {
    const bytes = overhead + bytesOf(rows);
    const madeAt = this.#clock.elapsed();
    this.#slices.set(nameOf(key, day), { rows, bytes, madeAt, endpoints: new Set([endpoint]) });
  }

  /** Drops the slices that an endpoint has used; all slices, if none is given. */
  drop(endpoint?: string): void {
    this.#drops++;
    if (endpoint === undefined) this.#slices.clear();
    for (const [name, { endpoints }] of [...this.#slices.entries()])
      if (endpoint !== undefined && endpoints.has(endpoint)) this.#slices.delete(name);
  }
}

function nameOf(key: string, day: bigint): string {
  return `${key} ${day}`;
}

/** About the memory of rows, in bytes. */
export function bytesOf(rows: readonly Row[]): number {
  const bytes = (value: Value): number => (typeof value === 'string' ? 40 + 2 * value.length : 24);
  return rows.reduce((sum, row) => sum + row.reduce<number>((own, value) => own + bytes(value), 40), 0);
}
