import { LRUCache } from 'lru-cache';

/**
 * Bytes of an item in addition to its key and content: its place in the table, and its part of the space that a table keeps
 * after evictions. Measured, as are those of its users.
 */
const overhead = 350;

/** A table of the budget. */
export interface BudgetedTable<Value extends object> {
  /** The value. Reading it counts as a use. */
  get(key: string): Value | undefined;
  /** The value. Reading it doesn't count as a use. */
  peek(key: string): Value | undefined;
  /** Inserts a value, replacing the key's former one. A value beyond the size limit of the table isn't inserted. */
  set(key: string, value: Value, bytes: number): boolean;
  delete(key: string): void;
  clear(): void;
  values(): Iterable<Value>;
  entries(): Iterable<[string, Value]>;
  readonly size: number;
}

/**
 * Bounds the size of several tables together, in bytes. When it is exceeded, the largest table evicts its least recently
 * used value.
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
   * @param onGone called with each value that was removed
   */
  table<Value extends object>(share = 1, onGone?: (value: Value) => void): BudgetedTable<Value> {
    const items = new LRUCache<string, Value>({
      maxSize: Math.max(1, Math.floor(this.#maxBytes * share)),
      // One huge item would evict all others.
      maxEntrySize: Math.max(1, Math.floor(this.#maxBytes / 4)),
      ...(onGone && { dispose: onGone }),
    });
    this.#tables.push(items);
    return {
      get: (key) => items.get(key),
      peek: (key) => items.peek(key),
      set: (key, value, bytes) => {
        // lru-cache keeps the size of a value that is present already.
        items.delete(key);
        // Two bytes a character: V8 stores keys with characters beyond Latin-1 this way.
        items.set(key, value, { size: Math.ceil(bytes + 2 * key.length + overhead) });
        this.#evict();
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

  #evict(): void {
    while (this.bytes > this.#maxBytes) {
      const largest = this.#tables.reduce((a, b) => (b.calculatedSize > a.calculatedSize ? b : a));
      if (largest.pop() === undefined) return;
    }
  }
}
