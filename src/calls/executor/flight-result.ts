import type { Cost, SliceCounts } from '../../engines/engine/engine.ts';
import { packedRows, type ResultRows } from '../../engines/rows/result-rows.ts';
import type { Entry } from './entries/entry-store.ts';
import type { KeyedQuery } from './entries/query-key.ts';
import type { CachedEntry } from './entry-table.ts';
import type { CacheFacts, ExecutorResult } from './executor.ts';
import type { Bodies } from './flights/bodies.ts';

/** The result of a flight, for all waiters. */
export interface FlightResult extends Pick<CacheFacts, 'madeAt' | 'freshUntil'> {
  /** Whether the rows were in the store. */
  readonly isStored: boolean;
  /** When the run of this flight began, by the clock's `elapsed`. */
  readonly beganAt?: number | undefined;
  readonly rows: ResultRows;
  readonly truncated: boolean;
  readonly engineMs: number;
  /** The cost of the run, if this flight ran the query. */
  readonly cost?: Cost;
  /** The slices from which this flight's run merged its result, if it did. */
  readonly slices?: SliceCounts;
  readonly bodies: Bodies;
  /** The cached entry with the rows, if any. */
  readonly cachedEntry?: CachedEntry;
}

/** Whether an entry may be the answer now. */
export function isFresh(entry: Entry, now: number, notBefore: number): boolean {
  return now < entry.freshUntil && readAtOf(entry) >= notBefore;
}

function readAtOf({ madeAt, engineMs }: Pick<Entry, 'madeAt' | 'engineMs'>): number {
  return madeAt - engineMs;
}

/** The answer from a flight. */
export function flightResult(
  { plan: { columns }, page }: KeyedQuery,
  {
    isStored,
    rows,
    truncated,
    engineMs,
    cost,
    slices,
    bodies,
    cachedEntry,
    madeAt,
    freshUntil,
  }: FlightResult,
  facts: Pick<CacheFacts, 'status' | 'collapsed'>,
  waited: Pick<ExecutorResult, 'queueMs' | 'planningMs'>,
): ExecutorResult {
  return {
    columns,
    truncated,
    engineMs: isStored ? 0 : engineMs,
    ...waited,
    readAt: readAtOf({ madeAt, engineMs }),
    ...(cost && { cost }),
    ...(slices && { slices }),
    rows,
    bodies,
    cache: { ...facts, madeAt, freshUntil },
    ...(cachedEntry && { cachedEntry }),
    ...(page && { page }),
  };
}

/** The answer from a cached entry. */
export function cachedResult(
  { plan: { columns }, page }: KeyedQuery,
  cachedEntry: CachedEntry,
  status: 'hit' | 'stale',
): ExecutorResult {
  const { entry, bodies } = cachedEntry;
  return {
    columns,
    truncated: entry.truncated,
    ...{ engineMs: 0, queueMs: 0, planningMs: 0 },
    readAt: readAtOf(entry),
    rows: packedRows([entry.rows], entry.rowCount),
    bodies,
    cache: { status, collapsed: false, madeAt: entry.madeAt, freshUntil: entry.freshUntil },
    cachedEntry,
    ...(page && { page }),
  };
}
