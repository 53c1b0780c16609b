import type { CacheFacts } from '../../../calls/executor/executor.ts';
import type { Cost, SliceCounts } from '../../../engines/engine/engine.ts';
import { lifetime } from '../../http/response-cache/lifetime.ts';
import type { AnsweredCall } from '../execution/context.ts';

/** The report of one call in the response's extensions. */
export interface CallReport extends Pick<AnsweredCall, 'path' | 'endpoint' | 'rows' | 'truncated'> {
  /** Milliseconds of engine time, with two decimals; 0 for rows from the cache. */
  readonly engineMs: number;
  /** The cost of the run that the call started or shared, if the engine reports one. */
  readonly cost?: Cost;
  /** The slices from which the result was merged, if it was. */
  readonly slices?: SliceCounts;
  readonly cache: CacheReport;
}

/** How the cache answered a call. Corresponds to REST's headers `Cache-Status` and `Age`. */
interface CacheReport {
  readonly status: CacheStatus;
  /** Whether the call shared another call's run. */
  readonly collapsed: boolean;
  /** Whether the rows are cached for later calls. */
  readonly stored: boolean;
  /** The age of the rows in whole seconds. */
  readonly ageSeconds: number;
  /** Whole seconds until the rows expire; negative when they are stale. */
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
 * The report of a call at the given time.
 *
 * @param now in milliseconds since the epoch
 */
export function callReport(call: Omit<AnsweredCall, 'cachedEntry' | 'called'>, now: number): CallReport {
  const { path, endpoint, rows, truncated, engineMs, cost, slices, cache } = call;
  return {
    path,
    endpoint,
    rows,
    truncated,
    engineMs: Math.round(engineMs * 100) / 100,
    ...(cost && { cost: costReport(cost) }),
    ...(slices && { slices }),
    cache: {
      status: statuses[cache.status],
      collapsed: cache.collapsed,
      stored: cache.status !== 'stale' && cache.freshUntil > cache.madeAt,
      ...lifetime(cache, now),
    },
  };
}

/** Copies the known fields only: an engine may have added others. */
function costReport({ bytesProcessed, bytesBilled, slotMs, engineCacheHit }: Cost): Cost {
  return {
    bytesProcessed,
    ...(bytesBilled !== undefined && { bytesBilled }),
    ...(slotMs !== undefined && { slotMs }),
    engineCacheHit,
  };
}
