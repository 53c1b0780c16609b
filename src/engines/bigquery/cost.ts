import type { Cost } from '../engine.ts';
import type { JobStatistics, QueryAnswer, ResultsAnswer } from './answers.ts';

/** What a job cost, if its statistics say all of it. */
export function costOfJob(statistics: JobStatistics | undefined): Cost | undefined {
  const query = statistics?.query;
  if (query === undefined) return undefined;
  return cost({
    bytesProcessed: query.totalBytesProcessed ?? statistics?.totalBytesProcessed,
    bytesBilled: query.totalBytesBilled,
    slotMs: query.totalSlotMs ?? statistics?.totalSlotMs,
    cacheHit: query.cacheHit,
  });
}

/** What a query cost that was answered without a job, if the answer says all of it. */
export function costOfQuery(answer: QueryAnswer): Cost | undefined {
  return cost({
    bytesProcessed: answer.totalBytesProcessed,
    bytesBilled: answer.totalBytesBilled,
    slotMs: answer.totalSlotMs,
    cacheHit: answer.cacheHit,
  });
}

/** What can be said of the cost by the rows alone: what isn't of BigQuery's cache is billed, at least as it was read. */
export function costOfRows({ totalBytesProcessed, cacheHit = false }: ResultsAnswer): Cost | undefined {
  const bytesBilled = cacheHit ? 0 : totalBytesProcessed;
  return cost({ bytesProcessed: totalBytesProcessed, bytesBilled, slotMs: undefined, cacheHit });
}

function cost({
  bytesProcessed,
  bytesBilled,
  slotMs,
  cacheHit = false,
}: {
  readonly bytesProcessed: number | undefined;
  readonly bytesBilled: number | undefined;
  readonly slotMs: number | undefined;
  readonly cacheHit: boolean | undefined;
}): Cost | undefined {
  if (bytesProcessed === undefined || bytesBilled === undefined) return undefined;
  // Slot time is left out of the answer when there was none, as for rows of BigQuery's cache.
  return { bytesProcessed, bytesBilled, slotMs: slotMs ?? 0, engineCacheHit: cacheHit };
}
