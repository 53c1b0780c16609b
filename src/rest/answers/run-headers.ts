import type { ExecutorResult } from '../../executor/executor.ts';

/**
 * The headers about the work for a response: `Server-Timing` in milliseconds, of the request until now and of the engine if
 * it ran, and the bytes of a BigQuery job.
 *
 * @param elapsedMs since the request arrived
 * @returns names and values alternate
 */
export function runHeaders(
  { engineMs, cost }: Pick<ExecutorResult, 'engineMs' | 'cost'>,
  elapsedMs: number,
): string[] {
  const total = `total;dur=${elapsedMs.toFixed(1)}`;
  const headers = ['Server-Timing', engineMs > 0 ? `${total}, engine;dur=${engineMs.toFixed(1)}` : total];
  if (cost === undefined) return headers;
  headers.push('X-Bytes-Processed', String(cost.bytesProcessed));
  if (cost.bytesBilled !== undefined) headers.push('X-Bytes-Billed', String(cost.bytesBilled));
  return headers;
}
