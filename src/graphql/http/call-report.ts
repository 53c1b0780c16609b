import type { Cost } from '../../engines/engine.ts';
import type { CacheFacts } from '../../executor/executor.ts';
import type { AnsweredCall } from '../context.ts';

/** What an answer says about one call, in its extensions. */
export interface CallReport extends Pick<AnsweredCall, 'path' | 'endpoint' | 'rows' | 'truncated'> {
  /** Milliseconds that the engine worked, with two decimals; 0 for rows from the cache. */
  readonly engineMs: number;
  /** Of the run that it has started or shared, on an engine that says so. */
  readonly cost?: Cost;
  readonly cache: CacheReport;
}

/** What became of a call in the cache. The logFields are those of REST's headers `Cache-Status` and `Age`. */
interface CacheReport {
  readonly status: CacheStatus;
  /** Whether the call shared the run of another one. */
  readonly collapsed: boolean;
  /** Whether the rows are kept for calls that follow. */
  readonly stored: boolean;
  /** How many whole seconds ago the rows were made. */
  readonly ageSeconds: number;
  /** For how many more whole seconds the rows are good; negative when they are too old. */
  readonly ttlSeconds: number;
}

type CacheStatus = 'HIT' | 'MISS' | 'STALE' | 'BYPASS';

const statuses: Readonly<Record<CacheFacts['status'], CacheStatus>> = {
  hit: 'HIT',
  miss: 'MISS',
  stale: 'STALE',
  off: 'BYPASS',
};

/**
 * The report of a call in an answer of this moment.
 *
 * @param now in milliseconds since the epoch
 */
export function callReport(call: AnsweredCall, now: number): CallReport {
  const { path, endpoint, rows, truncated, engineMs, cost, cache } = call;
  return {
    path,
    endpoint,
    rows,
    truncated,
    engineMs: Math.round(engineMs * 100) / 100,
    ...(cost && { cost: costReport(cost) }),
    cache: {
      status: statuses[cache.status],
      collapsed: cache.collapsed,
      stored: cache.status !== 'stale' && cache.freshUntil > cache.madeAt,
      ...lifetime(cache, now),
    },
  };
}

/** Nothing else that an engine may have added. */
function costReport({ bytesProcessed, bytesBilled, slotMs, engineCacheHit }: Cost): Cost {
  return {
    bytesProcessed,
    ...(bytesBilled !== undefined && { bytesBilled }),
    ...(slotMs !== undefined && { slotMs }),
    engineCacheHit,
  };
}

/** How old rows are, and how much longer they are good, in whole seconds: never younger, never longer than they are. */
export function lifetime(
  { madeAt, freshUntil }: Pick<CacheFacts, 'madeAt' | 'freshUntil'>,
  now: number,
): Pick<CacheReport, 'ageSeconds' | 'ttlSeconds'> {
  // Replicas whose clocks differ can have made the rows a moment from now.
  return {
    ageSeconds: Math.max(0, Math.floor((now - madeAt) / 1000)),
    ttlSeconds:
      freshUntil === madeAt ? 0 : Math.floor(Math.min(freshUntil - now, freshUntil - madeAt) / 1000),
  };
}
