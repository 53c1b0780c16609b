import { isDeepStrictEqual } from 'node:util';
import type { ResultRows } from '../../../engines/rows/result-rows.ts';
import type { SharedSpending } from '../allowances/shared-spending.ts';
import { endpointOfKey, type KeyedQuery, parametersOfKey } from './query-key.ts';

/** A result in the cache. */
export interface Entry {
  /** The key of the query that it answers. */
  readonly key: string;
  /** The rows, not redacted, as `ResultRows.packed` gives them. */
  readonly rows: Buffer;
  readonly rowCount: number;
  readonly truncated: boolean;
  /** Engine time for the result, in milliseconds. */
  readonly engineMs: number;
  /** When it was made, in milliseconds since the epoch. */
  readonly madeAt: number;
  /** The end of its freshness, in milliseconds since the epoch. */
  readonly freshUntil: number;
  /** Until when it may be served if the engine fails; not before `freshUntil`. */
  readonly keptUntil: number;
}

/** An entry with its rows, as read from a store. */
export interface StoredEntry {
  readonly entry: Entry;
  readonly rows: ResultRows;
}

/** The right to compute a result. One replica at a time has it. */
export interface Lease {
  /** Releases the lease, so that others may compute the result. */
  release(): Promise<void>;
}

/** The entries to invalidate. */
export interface InvalidationFilter {
  /** Entries of this endpoint; of every endpoint if absent. */
  readonly endpointId?: string;
  /** Only entries of this version, or of every other version than these. */
  readonly version?: { readonly only: string } | { readonly not: readonly string[] };
  /** Only entries with these canonical parameters, by their position in the endpoint's declaration. */
  readonly parameters?: ReadonlyMap<number, unknown>;
}

/**
 * Stores entries outside the memory of this process, and may share them with other replicas. A store that doesn't answer
 * within a few milliseconds is treated as empty: only `invalidate` rejects.
 */
export interface EntryStore {
  /** Returns the entry for the query, fresh or not, until its `keptUntil`. */
  get(keyedQuery: KeyedQuery): Promise<StoredEntry | undefined>;
  /** Stores the entry until its `keptUntil`; returns whether it was stored. */
  set(entry: Entry): Promise<boolean>;
  /**
   * Takes the lease for a query's result; `taken` while another replica has it. Undefined if there are no other
   * replicas, or they can't be asked: then each replica continues alone.
   */
  lease(key: string): Promise<Lease | 'taken' | undefined>;
  /**
   * Invalidates entries, here and in the other replicas.
   *
   * @returns how many were deleted in the store
   * @throws GatewayError BACKEND_UNAVAILABLE when the store can't be reached
   */
  invalidate(filter: InvalidationFilter): Promise<number>;
  /**
   * Registers a callback for every invalidation by another replica. It gets a filter that matches everything when
   * invalidations may have been missed.
   */
  onInvalidate(listener: (filter: InvalidationFilter) => void): void;
  /** Bytes billed, where replicas share them. */
  readonly spending?: SharedSpending;
  close(): Promise<void>;
}

/** Whether the filter matches the entry with this key. */
export function isInvalidated(key: string, { endpointId, version, parameters }: InvalidationFilter): boolean {
  const { id, version: ownVersion } = endpointOfKey(key);
  if (endpointId !== undefined && id !== endpointId) return false;
  if (version !== undefined) {
    const isOwn = 'only' in version ? version.only === ownVersion : !version.not.includes(ownVersion);
    if (!isOwn) return false;
  }
  if (parameters === undefined || parameters.size === 0) return true;
  const own = parametersOfKey(key);
  return [...parameters].every(([index, value]) => isDeepStrictEqual(own[index], value));
}

/** A piece of work on an entry. */
export interface Work {
  readonly key: string;
  /** Whether the entry was invalidated since the work began. */
  isInvalidated: boolean;
}

/** Work in flight, so that an invalidation in the meantime applies to it too. */
export class PendingWork {
  readonly #works = new Set<Work>();

  async during<T>(key: string, work: (work: Work) => Promise<T>): Promise<T> {
    const started: Work = { key, isInvalidated: false };
    this.#works.add(started);
    try {
      return await work(started);
    } finally {
      this.#works.delete(started);
    }
  }

  invalidate(filter: InvalidationFilter): void {
    for (const work of this.#works) if (isInvalidated(work.key, filter)) work.isInvalidated = true;
  }
}
