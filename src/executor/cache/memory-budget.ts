import { LRUCache } from 'lru-cache';

/**
 * What an item takes beside its key and its content: its place in the table, and its part of the room that a table keeps where
 * others were forgotten. In bytes, measured, as are those of its users.
 */
const overhead = 350;

/** A table of the budget. */
export interface BudgetedTable<Value extends object> {
  /** The value, which thereby counts as used. */
  get(key: string): Value | undefined;
  /** The value, without counting as a use. */
  peek(key: string): Value | undefined;
  /** Keeps a value in the place of the key's former one. One that is larger than a whole table may be isn't kept. */
  set(key: string, value: Value, bytes: number): boolean;
  delete(key: string): void;
  clear(): void;
  values(): Iterable<Value>;
  entries(): Iterable<[string, Value]>;
  readonly size: number;
}

/**
 * Bounds what several tables hold together, in bytes. When it is exceeded, the largest table forgets what was used
 * longest ago.
 */
export class MemoryBudget {
  readonly #maxBytes: number;
  readonly #tables: Pick<LRUCache<string, object>, 'calculatedSize' | 'pop'>[] = [];

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#tables.reduce((sum, table) => sum + table.calculatedSize, 0);
  }

  /**
   * @param share how much of the memory the table may take at most, as a part of 1
   * @param onGone told of each value that is there no longer
   */
  table<Value extends object>(share = 1, onGone?: (value: Value) => void): BudgetedTable<Value> {
    const items = new LRUCache<string, Value>({
      maxSize: Math.max(1, Math.floor(this.#maxBytes * share)),
      // One huge item would push out all the others.
      maxEntrySize: Math.max(1, Math.floor(this.#maxBytes / 4)),
      ...(onGone && { dispose: onGone }),
    });
    this.#tables.push(items);
    return {
      get: (key) => items.get(key),
      peek: (key) => items.peek(key),
      set: (key, value, bytes) => {
        // The size of a value that is there already would not change.
        items.delete(key);
        // Two bytes a character: the engine stores keys that hold anything beyond Latin-1 so.
        items.set(key, value, { size: Math.ceil(bytes + 2 * key.length + overhead) });
        this.#makeRoom();
        return items.has(key);
      },
      delete: (key) => void items.delete(key),
      clear: () => items.clear(),
      values: () => items.values(),
      entries: () => items.entries(),
      get size() {
        return items.size;
      },
    };
  }

  #makeRoom(): void {
    while (this.bytes > this.#maxBytes) {
      const largest = this.#tables.reduce((a, b) => (b.calculatedSize > a.calculatedSize ? b : a));
      if (largest.pop() === undefined) return;
    }
  }
}
