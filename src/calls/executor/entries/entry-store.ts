import type { ResultRows } from '../../../engines/rows/result-rows.ts';
import type { SharedSpending } from '../budgets/spending.ts';
import type { Entry } from './entry.ts';
import type { KeyedQuery } from './query-key.ts';

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
  /** Only entries of this version, or of every other version. */
  readonly version?: { readonly only: string } | { readonly not: string };
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
