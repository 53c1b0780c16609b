import { type Bodies, bodies } from './bodies.ts';
import type { Entry } from './entry.ts';
import type { BudgetedTable, MemoryBudget } from './memory-budget.ts';
import type { KeyedQuery } from './query-key.ts';

/** An entry in this process's memory, with the bodies made from it. */
export interface HeldEntry {
  readonly entry: Entry;
  readonly bodies: Bodies;
  /** When a caller last asked for it, in milliseconds since the epoch. */
  askedAt: number;
  /** The query that it answers, if the entry is refreshed in the background. */
  readonly keyedQuery?: KeyedQuery;
  /** When its next refresh is due, in milliseconds since the epoch; undefined until it is scheduled. */
  dueAt?: number;
  /** Consecutive failed refreshes. */
  failures: number;
}

/** Observes inserts and removals; a grown entry is re-inserted. */
interface TableWatcher {
  kept(held: HeldEntry): void;
  gone(held: HeldEntry): void;
}

/** Bytes of an entry beside its rows, bodies and key, and of a body beside its bytes (measured). */
const entryBytes = 900;
const bodyBytes = 550;
/** Bytes of a query beside its values, which are about as long as the key. */
const questionBytes = 700;

/** The entries in this process's memory, with bodies ready to be sent: a hit never waits. */
export class EntryTable {
  readonly #held: BudgetedTable<HeldEntry>;
  #watcher: TableWatcher | undefined;
  readonly #dropListeners: (() => void)[] = [];

  constructor(budget: MemoryBudget) {
    this.#held = budget.table(1, (held) => this.#watcher?.gone(held));
  }

  /** The entry. Reading it counts as a use. */
  get(key: string): HeldEntry | undefined {
    return this.#held.get(key);
  }

  /** The entry. Reading it doesn't count as a use. */
  peek(key: string): HeldEntry | undefined {
    return this.#held.peek(key);
  }

  /**
   * Inserts the entry, replacing an older one with the same key. An entry that is too large is returned without being
   * inserted.
   *
   * @param query of an entry that is to be refreshed in the background
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
        // The rows take much less memory than bodies, and save a run.
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

  /** Sets the only watcher, and reports the present entries to it. */
  watch(watcher: TableWatcher): void {
    this.#watcher = watcher;
    for (const held of this.#held.values()) watcher.kept(held);
  }

  delete(key: string): void {
    this.#held.delete(key);
  }

  /** Removes every entry for which the function returns true, and returns their keys. */
  invalidate(isInvalidated: (held: HeldEntry) => boolean): string[] {
    const keys = [...this.#held.values()].filter(isInvalidated).map(({ entry }) => entry.key);
    for (const key of keys) this.#held.delete(key);
    if (keys.length > 0) for (const listener of this.#dropListeners) listener();
    return keys;
  }

  /** Registers a callback for invalidations: what was made from the entries is invalid too. */
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

/** Copies the values: parts of a long text, such as a URL, would keep all of it in memory. */
function detached(keyedQuery: KeyedQuery): KeyedQuery {
  return { ...keyedQuery, parameters: structuredClone(keyedQuery.parameters) };
}
