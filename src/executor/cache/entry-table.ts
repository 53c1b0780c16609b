import { type Bodies, bodies } from './bodies.ts';
import type { Entry } from './entry.ts';
import type { BudgetedTable, MemoryBudget } from './memory-budget.ts';

/** An entry that this process holds, with the bodies that were made from it. */
export interface HeldEntry {
  readonly entry: Entry;
  readonly bodies: Bodies;
  /** When a caller asked for it last, in milliseconds since the epoch. */
  askedAt: number;
}

/** What an entry takes beside its rows, its bodies and its key, and a body beside its bytes. In bytes. */
const entryBytes = 700;
const bodyBytes = 400;

/** The entries that this process holds, with bodies ready to be sent: a hit takes no waiting. */
export class EntryTable {
  readonly #held: BudgetedTable<HeldEntry>;

  constructor(budget: MemoryBudget) {
    this.#held = budget.table();
  }

  /** The entry, which thereby counts as used. */
  get(key: string): HeldEntry | undefined {
    return this.#held.get(key);
  }

  /** The entry, without counting as a use. */
  peek(key: string): HeldEntry | undefined {
    return this.#held.peek(key);
  }

  /** Holds the entry in the place of an older one of the same key. What is too large to be held is given all the same. */
  put(entry: Entry, askedAt: number): HeldEntry {
    const { key } = entry;
    const known = this.#held.peek(key);
    if (known?.entry === entry) return known;
    let bytes = entryBytes + entry.rows.length;
    const held: HeldEntry = {
      entry,
      askedAt,
      bodies: bodies((body) => {
        bytes += body.bytes.length + bodyBytes;
        if (this.#held.peek(key) === held) this.#held.set(key, held, bytes);
      }),
    };
    this.#held.set(key, held, bytes);
    return held;
  }

  delete(key: string): void {
    this.#held.delete(key);
  }

  /** Forgets every entry that the function says yes to, and gives their keys. */
  drop(isDropped: (held: HeldEntry) => boolean): string[] {
    const keys = [...this.#held.values()].filter(isDropped).map(({ entry }) => entry.key);
    for (const key of keys) this.#held.delete(key);
    return keys;
  }

  values(): Iterable<HeldEntry> {
    return this.#held.values();
  }

  get size(): number {
    return this.#held.size;
  }
}
