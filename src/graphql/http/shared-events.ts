import { LRUCache } from 'lru-cache';

/** How many bytes of events are kept for those who take them later. */
const mostBytes = 16_000_000;

/**
 * Events that are made once for all who get the same bytes. Each operation has bytes of its own, so what is kept of them is
 * bounded.
 */
export class SharedEvents {
  readonly #numbers = new WeakMap<object, number>();
  #lastNumber = 0;
  readonly #making = new Map<string, Promise<Buffer>>();
  readonly #made = new LRUCache<string, Buffer>({
    maxSize: mostBytes,
    sizeCalculation: (bytes, id) => bytes.length + id.length,
  });

  /**
   * @param about what the event tells of
   * @param form what tells its bytes from those of other events about the same
   */
  async get(about: object, form: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const id = `${this.#numberOf(about)} ${form}`;
    const made = this.#made.get(id);
    if (made !== undefined) return made;
    const known = this.#making.get(id);
    if (known !== undefined) return known;
    const making = make();
    this.#making.set(id, making);
    try {
      const bytes = await making;
      this.#made.set(id, bytes);
      return bytes;
    } finally {
      this.#making.delete(id);
    }
  }

  #numberOf(about: object): number {
    const known = this.#numbers.get(about);
    if (known !== undefined) return known;
    this.#lastNumber += 1;
    this.#numbers.set(about, this.#lastNumber);
    return this.#lastNumber;
  }
}
