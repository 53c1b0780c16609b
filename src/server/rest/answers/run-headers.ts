import type { ExecutorResult } from '../../../calls/executor/executor.ts';

/**
 * The headers about the run that made the rows: `Server-Timing` with the milliseconds of the engine, and the bytes of a
 * BigQuery job. None for cached rows.
 *
 * @returns names and values alternate
 */
export function runHeaders({ engineMs, cost }: Pick<ExecutorResult, 'engineMs' | 'cost'>): string[] {
  const headers = engineMs > 0 ? ['Server-Timing', `engine;dur=${engineMs.toFixed(1)}`] : [];
  if (cost === undefined) return headers;
  headers.push('X-Bytes-Processed', String(cost.bytesProcessed));
  if (cost.bytesBilled !== undefined) headers.push('X-Bytes-Billed', String(cost.bytesBilled));
  return headers;
}
