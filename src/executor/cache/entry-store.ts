import type { ResultRows } from '../../engines/rows/result-rows.ts';
import type { SharedSpending } from '../budgets/spending.ts';
import type { Entry } from './entry.ts';
import type { KeyedQuery } from './query-key.ts';

/** An entry with its rows, as a store gives it. */
export interface StoredEntry {
  readonly entry: Entry;
  readonly rows: ResultRows;
}

/** The right to make a result, which one replica has at a time. */
export interface Lease {
  /** Gives it back, after which others may make the result. */
  release(): Promise<void>;
}

/** Which entries are to be forgotten. */
export interface InvalidationFilter {
  /** Those of every endpoint where it is absent. */
  readonly endpointId?: string;
  /** Only those of this version, or of every other one. */
  readonly version?: { readonly only: string } | { readonly not: string };
  /** Only those with these canonical parameters, by their position in the endpoint's declaration. */
  readonly parameters?: ReadonlyMap<number, unknown>;
}

/**
 * Where entries are kept beyond what this process holds, perhaps shared with other replicas. What can't be reached in a few
 * milliseconds is as if it weren't there: nothing but `drop` ever rejects.
 */
export interface EntryStore {
  /** The entry that answers the query, fresh or not, until its `keptUntil`. */
  get(keyedQuery: KeyedQuery): Promise<StoredEntry | undefined>;
  /** Keeps the entry until its `keptUntil`; gives whether it is kept. */
  set(entry: Entry): Promise<boolean>;
  /**
   * The right to make the result of a query; `taken` while another replica has it; undefined when there are no other
   * replicas, or no way to ask them: then everybody goes on by himself.
   */
  lease(key: string): Promise<Lease | 'taken' | undefined>;
  /**
   * Forgets entries, and has the other replicas forget them.
   *
   * @returns how many were forgotten in the store
   * @throws GatewayError BACKEND_UNAVAILABLE when the store can't be reached
   */
  drop(filter: InvalidationFilter): Promise<number>;
  /**
   * Calls back for every drop that another replica asks for, and with a filter that means everything when drops may have
   * been missed.
   */
  onInvalidate(listener: (filter: InvalidationFilter) => void): void;
  /** What replicas were billed, where others are told. */
  readonly spending?: SharedSpending;
  close(): Promise<void>;
}
