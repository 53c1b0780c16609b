import type { Cost } from '../engine.ts';
import type { JobStatistics, QueryAnswer, ResultsAnswer } from './answers.ts';

/** What a job cost, if its statistics say all of it. */
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

/** What a query cost that was answered without a job, if the answer says all of it. */
export function costOfQuery(answer: QueryAnswer): Cost | undefined {
  return wholeCost(answer);
}

/** What is known of the cost by the rows alone. What it was billed isn't, unless BigQuery had the rows in its cache. */
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
  // Left out of the answer when there was none, as for rows of BigQuery's cache.
  totalSlotMs: slotMs = 0,
  cacheHit: engineCacheHit = false,
}: Pick<QueryAnswer, 'totalBytesProcessed' | 'totalBytesBilled' | 'totalSlotMs' | 'cacheHit'>):
  | Cost
  | undefined {
  if (bytesProcessed === undefined || bytesBilled === undefined) return undefined;
  return { bytesProcessed, bytesBilled, slotMs, engineCacheHit };
}
