import { type Bodies, bodies } from './bodies.ts';
import type { Entry } from './entry.ts';
import type { BudgetedTable, MemoryBudget } from './memory-budget.ts';
import type { KeyedQuery } from './query-key.ts';

/** An entry in this process's memory, with the bodies made from it. */
export interface CachedEntry {
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
  inserted(cached: CachedEntry): void;
  removed(cached: CachedEntry): void;
}

/** Bytes of an entry in addition to its rows, bodies and key, and of a body in addition to its content (measured). */
const entryBytes = 900;
const bodyBytes = 550;
/** Bytes of a query in addition to its values, which are about as long as the key. */
const queryBytes = 700;

/** The cached entries in this process's memory, with complete response bodies, so that a hit never waits. */
export class EntryTable {
  readonly #held: BudgetedTable<CachedEntry>;
  #watcher: TableWatcher | undefined;
  readonly #invalidationListeners: (() => void)[] = [];

  constructor(budget: MemoryBudget) {
    this.#held = budget.table(1, (held) => this.#watcher?.removed(held));
  }

  /** The entry. Reading it counts as a use. */
  get(key: string): CachedEntry | undefined {
    return this.#held.get(key);
  }

  /** The entry. Reading it doesn't count as a use. */
  peek(key: string): CachedEntry | undefined {
    return this.#held.peek(key);
  }

  /**
   * Inserts the entry, replacing an older one with the same key. An entry that is too large is returned without being
   * inserted.
   *
   * @param query of an entry that is to be refreshed in the background
   */
  put(entry: Entry, askedAt: number, keyedQuery?: KeyedQuery): CachedEntry {
    const { key } = entry;
    const known = this.#held.peek(key);
    if (known?.entry === entry) return known;
    let bytes = entryBytes + entry.rows.length;
    if (keyedQuery !== undefined) bytes += queryBytes + 2 * key.length + keyedQuery.planBytes;
    const held: CachedEntry = {
      entry,
      askedAt,
      failures: 0,
      ...(keyedQuery && { keyedQuery: detached(keyedQuery) }),
      bodies: bodies((body) => {
        if (this.#held.peek(key) !== held) return true;
        const before = bytes;
        bytes += body.bytes.length + bodyBytes;
        if (this.#set(held, bytes)) return true;
        // The rows take much less memory than bodies, and save a run.
        bytes = before;
        this.#set(held, bytes);
        return false;
      }),
    };
    this.#set(held, bytes);
    return held;
  }

  #set(held: CachedEntry, bytes: number): boolean {
    const isInserted = this.#held.set(held.entry.key, held, bytes);
    if (isInserted) this.#watcher?.inserted(held);
    return isInserted;
  }

  /** Sets the only watcher, and reports the present entries to it. */
  watch(watcher: TableWatcher): void {
    this.#watcher = watcher;
    for (const held of this.#held.values()) watcher.inserted(held);
  }

  delete(key: string): void {
    this.#held.delete(key);
  }

  /** Removes every entry for which the function returns true, and returns their keys. */
  invalidate(isInvalidated: (held: CachedEntry) => boolean): string[] {
    const keys = [...this.#held.values()].filter(isInvalidated).map(({ entry }) => entry.key);
    for (const key of keys) this.#held.delete(key);
    if (keys.length > 0) for (const listener of this.#invalidationListeners) listener();
    return keys;
  }

  /** Registers a callback for invalidations: what was made from the entries is invalid too. */
  onInvalidate(listener: () => void): void {
    this.#invalidationListeners.push(listener);
  }

  values(): Iterable<CachedEntry> {
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
