import * as z from 'zod/mini';
import type { Client } from './client.ts';

const usage = z.object({
  day: z.string(),
  key: z.nullable(z.string()),
  endpoint: z.nullable(z.string()),
  calls: z.number(),
  cached: z.number(),
  errors: z.number(),
  row_count: z.nullable(z.number()),
  bytes: z.nullable(z.number()),
  engine_ms: z.nullable(z.number()),
  bytes_billed: z.nullable(z.number()),
  p50_ms: z.nullable(z.number()),
  p95_ms: z.nullable(z.number()),
  p99_ms: z.nullable(z.number()),
});

/** The calls of a day, of one key and endpoint. */
export type Usage = z.infer<typeof usage>;

const slowCall = z.object({
  /** In microseconds since the epoch. */
  timestamp: z.number(),
  key: z.nullable(z.string()),
  endpoint: z.nullable(z.string()),
  api: z.string(),
  duration_ms: z.number(),
  queue_ms: z.nullable(z.number()),
  planning_ms: z.nullable(z.number()),
  engine_ms: z.nullable(z.number()),
  row_count: z.nullable(z.number()),
  code: z.nullable(z.string()),
  request_id: z.nullable(z.string()),
});

/** One of the calls that took longest. */
export type SlowCall = z.infer<typeof slowCall>;

/** What callers have used. */
export interface RecordedUsage {
  readonly usage: readonly Usage[];
  readonly slowest: readonly SlowCall[];
}

/**
 * Reads the records of calls.
 *
 * @param days how many, with today
 */
export async function loadUsage(client: Client, days: number, signal: AbortSignal): Promise<RecordedUsage> {
  const read = (name: string) => client.json(`/api/endpoints/query/gateway.${name}?days=${days}`, { signal });
  const [used, slow] = await Promise.all([read('usage'), read('slowest')]);
  return {
    usage: z.object({ result: z.array(usage) }).parse(used).result,
    slowest: z.object({ result: z.array(slowCall) }).parse(slow).result,
  };
}
