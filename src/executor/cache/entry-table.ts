import { type Bodies, bodies } from './bodies.ts';
import type { Entry } from './entry.ts';
import type { BudgetedTable, MemoryBudget } from './memory-budget.ts';
import type { KeyedQuery } from './query-key.ts';

/** An entry that this process holds, with the bodies that were made from it. */
export interface HeldEntry {
  readonly entry: Entry;
  readonly bodies: Bodies;
  /** When a caller asked for it last, in milliseconds since the epoch. */
  askedAt: number;
  /** What it answers, where it is made anew in the background. */
  readonly keyedQuery?: KeyedQuery;
  /** When that is due next, in milliseconds since the epoch; undefined until somebody has thought about it. */
  dueAt?: number;
  /** How often in a row it has failed. */
  failures: number;
}

/** Is told what comes into the table and what leaves it. An entry whose bodies have grown leaves and comes again. */
interface TableWatcher {
  kept(held: HeldEntry): void;
  gone(held: HeldEntry): void;
}

/** What an entry takes beside its rows, its bodies and its key, and a body beside its bytes. In bytes, measured. */
const entryBytes = 900;
const bodyBytes = 550;
/** What a query takes beside its values, which are about as long as the key. */
const questionBytes = 700;

/** The entries that this process holds, with bodies ready to be sent: a hit takes no waiting. */
export class EntryTable {
  readonly #held: BudgetedTable<HeldEntry>;
  #watcher: TableWatcher | undefined;
  readonly #dropListeners: (() => void)[] = [];

  constructor(budget: MemoryBudget) {
    this.#held = budget.table(1, (held) => this.#watcher?.gone(held));
  }

  /** The entry, which thereby counts as used. */
  get(key: string): HeldEntry | undefined {
    return this.#held.get(key);
  }

  /** The entry, without counting as a use. */
  peek(key: string): HeldEntry | undefined {
    return this.#held.peek(key);
  }

  /**
   * Holds the entry in the place of an older one of the same key. What is too large to be held is given all the same.
   *
   * @param query of an entry that is to be made anew in the background
   */
  put(entry: Entry, askedAt: number, keyedQuery?: KeyedQuery): HeldEntry {
    const { key } = entry;
    const known = this.#held.peek(key);
    if (known?.entry === entry) return known;
    let bytes = entryBytes + entry.rows.length;
    if (keyedQuery !== undefined) bytes += questionBytes + 2 * key.length + keyedQuery.planBytes;
    const held: HeldEntry = {
      entry,
      askedAt,
      failures: 0,
      ...(keyedQuery && { keyedQuery: detached(keyedQuery) }),
      bodies: bodies((body) => {
        if (this.#held.peek(key) !== held) return true;
        const before = bytes;
        bytes += body.bytes.length + bodyBytes;
        if (this.#keep(held, bytes)) return true;
        // The rows, which take much less, save a run.
        bytes = before;
        this.#keep(held, bytes);
        return false;
      }),
    };
    this.#keep(held, bytes);
    return held;
  }

  #keep(held: HeldEntry, bytes: number): boolean {
    const isKept = this.#held.set(held.entry.key, held, bytes);
    if (isKept) this.#watcher?.kept(held);
    return isKept;
  }

  /** There is one watcher, who is told of what is there already. */
  watch(watcher: TableWatcher): void {
    this.#watcher = watcher;
    for (const held of this.#held.values()) watcher.kept(held);
  }

  delete(key: string): void {
    this.#held.delete(key);
  }

  /** Forgets every entry that the function says yes to, and gives their keys. */
  drop(isInvalidated: (held: HeldEntry) => boolean): string[] {
    const keys = [...this.#held.values()].filter(isInvalidated).map(({ entry }) => entry.key);
    for (const key of keys) this.#held.delete(key);
    if (keys.length > 0) for (const listener of this.#dropListeners) listener();
    return keys;
  }

  /** Calls back after entries were dropped: what was made from them has to go as well. */
  onInvalidate(listener: () => void): void {
    this.#dropListeners.push(listener);
  }

  values(): Iterable<HeldEntry> {
    return this.#held.values();
  }

  get size(): number {
    return this.#held.size;
  }
}

/** With values of its own: parts of a long text, such as a URL, would keep all of it in memory. */
function detached(keyedQuery: KeyedQuery): KeyedQuery {
  return { ...keyedQuery, parameters: structuredClone(keyedQuery.parameters) };
}
