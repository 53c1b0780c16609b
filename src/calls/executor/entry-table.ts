import type { Account } from '../../base/fairness/account.ts';
import type { BudgetedTable, CacheBudget } from '../../base/memory/cache-budget.ts';
import type { Entry } from './entries/entry-store.ts';
import { endpointOfKey, type KeyedQuery } from './entries/query-key.ts';
import { type Bodies, bodies } from './flights/bodies.ts';

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
  readonly #entries: BudgetedTable<CachedEntry>;
  #watcher: TableWatcher | undefined;
  readonly #invalidationListeners: (() => void)[] = [];

  constructor(budget: CacheBudget) {
    this.#entries = budget.table(1, (cachedEntry) => this.#watcher?.removed(cachedEntry));
  }

  /** The entry. Reading it counts as a use. */
  get(key: string): CachedEntry | undefined {
    return this.#entries.get(key);
  }

  /** The entry. Reading it doesn't count as a use. */
  peek(key: string): CachedEntry | undefined {
    return this.#entries.peek(key);
  }

  /**
   * Inserts the entry, replacing an older one with the same key. An entry that is too large is returned without being
   * inserted.
   *
   * @param account whose memory it uses
   * @param keyedQuery of an entry that is to be refreshed in the background
   */
  put(entry: Entry, askedAt: number, account: Account, keyedQuery?: KeyedQuery): CachedEntry {
    const { key } = entry;
    const known = this.#entries.peek(key);
    if (known?.entry === entry) return known;
    let bytes = entryBytes + entry.rows.length;
    if (keyedQuery !== undefined) bytes += queryBytes + 2 * key.length + keyedQuery.planBytes;
    const cachedEntry: CachedEntry = {
      entry,
      askedAt,
      failures: 0,
      ...(keyedQuery && { keyedQuery: detached(keyedQuery) }),
      bodies: bodies((body) => {
        if (this.#entries.peek(key) !== cachedEntry) return true;
        const before = bytes;
        bytes += body.bytes.length + bodyBytes;
        if (this.#set(cachedEntry, bytes, account)) return true;
        // The rows take much less memory than bodies, and save a run.
        bytes = before;
        this.#set(cachedEntry, bytes, account);
        return false;
      }),
    };
    this.#set(cachedEntry, bytes, account);
    return cachedEntry;
  }

  #set(cachedEntry: CachedEntry, bytes: number, account: Account): boolean {
    const isInserted = this.#entries.set(cachedEntry.entry.key, cachedEntry, bytes, account);
    if (isInserted) this.#watcher?.inserted(cachedEntry);
    return isInserted;
  }

  /** Sets the only watcher, and reports the present entries to it. */
  watch(watcher: TableWatcher): void {
    this.#watcher = watcher;
    for (const cachedEntry of this.#entries.values()) watcher.inserted(cachedEntry);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** Removes every entry for which the function returns true, and returns their keys. */
  invalidate(isInvalidated: (cachedEntry: CachedEntry) => boolean): string[] {
    const keys = [...this.#entries.values()].filter(isInvalidated).map(({ entry }) => entry.key);
    for (const key of keys) this.#entries.delete(key);
    if (keys.length > 0) for (const listener of this.#invalidationListeners) listener();
    return keys;
  }

  /** Registers a callback for invalidations: what was made from the entries is invalid too. */
  onInvalidate(listener: () => void): void {
    this.#invalidationListeners.push(listener);
  }

  /** How many entries each endpoint has, by its id. */
  countsByEndpoint(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { entry } of this.#entries.values()) {
      const { id } = endpointOfKey(entry.key);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  }

  values(): Iterable<CachedEntry> {
    return this.#entries.values();
  }

  get size(): number {
    return this.#entries.size;
  }
}

/** Copies the values: parts of a long text, such as a URL, would keep all of it in memory. */
function detached(keyedQuery: KeyedQuery): KeyedQuery {
  return { ...keyedQuery, parameters: structuredClone(keyedQuery.parameters) };
}
