import type { Cost } from '../../engine/engine.ts';
import type { JobStatistics, QueryAnswer, ResultsAnswer } from './answers.ts';

/** The cost of a job, if its statistics are complete. */
export function costOfJob(statistics: JobStatistics | undefined): Cost | undefined {
  const query = statistics?.query;
  if (query === undefined) return undefined;
  return wholeCost({
    totalBytesProcessed: query.totalBytesProcessed ?? statistics?.totalBytesProcessed,
    totalBytesBilled: query.totalBytesBilled,
    totalSlotMs: query.totalSlotMs ?? statistics?.totalSlotMs,
    cacheHit: query.cacheHit,
  });
}

/** The cost of a query without a job, if the response is complete. */
export function costOfQuery(answer: QueryAnswer): Cost | undefined {
  return wholeCost(answer);
}

/**
 * The cost as far as the rows' response reports it. It lacks the billed bytes, unless the rows came from BigQuery's
 * cache.
 */
export function costOfRows({ totalBytesProcessed, cacheHit = false }: ResultsAnswer): Cost | undefined {
  if (totalBytesProcessed === undefined) return undefined;
  return {
    bytesProcessed: totalBytesProcessed,
    ...(cacheHit && { bytesBilled: 0, slotMs: 0 }),
    engineCacheHit: cacheHit,
  };
}

function wholeCost({
  totalBytesProcessed: bytesProcessed,
  totalBytesBilled: bytesBilled,
  // Absent from the response if zero, as for rows from BigQuery's cache.
  totalSlotMs: slotMs = 0,
  cacheHit: engineCacheHit = false,
}: Pick<QueryAnswer, 'totalBytesProcessed' | 'totalBytesBilled' | 'totalSlotMs' | 'cacheHit'>):
  | Cost
  | undefined {
  if (bytesProcessed === undefined || bytesBilled === undefined) return undefined;
  return { bytesProcessed, bytesBilled, slotMs, engineCacheHit };
}
