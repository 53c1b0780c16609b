import * as z from 'zod/mini';
import type { Client } from '../../../api/client.ts';
import type { Endpoint } from '../../../api/endpoints.ts';
import type { Json } from '../../../api/json.ts';
import type { ParameterValues } from '../../../parts/parameters/parameter-values.ts';
import { sqlString } from '../../../parts/text/sql-string.ts';

const number = z.nullable(z.number());

const bucket = z.object({
  /** In microseconds since the epoch. */
  bucket: z.number(),
  calls: z.number(),
  p50: number,
  p95: number,
  queue: number,
  planning: number,
  engine: number,
  kept: number,
  made: number,
  rows_mean: number,
});

const slow = z.object({
  /** In microseconds since the epoch. */
  timestamp: z.number(),
  key: z.nullable(z.string()),
  query: z.nullable(z.string()),
  cache: z.nullable(z.string()),
  duration_ms: z.number(),
  queue_ms: number,
  planning_ms: number,
  engine_ms: number,
  row_count: number,
  slices_kept: number,
  slices_made: number,
  code: z.nullable(z.string()),
  request_id: z.nullable(z.string()),
});

/** The calls of a time, such as an hour. Milliseconds are means, but p50 and p95. */
export type PerformanceBucket = z.infer<typeof bucket>;
export type SlowestCall = z.infer<typeof slow>;

/** How an endpoint's calls have been, as the gateway has recorded them. */
export interface Performance {
  readonly buckets: readonly PerformanceBucket[];
  /** The calls that took longest, those first. */
  readonly slowest: readonly SlowestCall[];
}

/** How long to look back, and in which steps. */
export interface PerformanceSpan {
  readonly hours: number;
  readonly step: 'HOUR' | 'DAY';
}

/** Calls that were not made by callers: of texts that were tried, and of runs that were measured. */
const ofCallers = "AND COALESCE(c.query, '') NOT IN ('draft', 'profile')";

/** Reads the records of an endpoint's calls. @throws Failure; the signal's reason */
export async function loadPerformance(
  client: Client,
  { name }: Pick<Endpoint, 'name'>,
  { hours, step }: PerformanceSpan,
  signal: AbortSignal,
): Promise<Performance> {
  const where = `c.endpoint = ${sqlString(name)} ${ofCallers}
    AND c.timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL ${hours} HOUR)`;
  const buckets = `WITH timed AS (
  SELECT TIMESTAMP_TRUNC(c.timestamp, ${step}) AS bucket, c.*,
    PERCENTILE_DISC(IF(c.query IS NULL, NULL, c.duration_ms), 0.5) OVER same AS p50,
    PERCENTILE_DISC(IF(c.query IS NULL, NULL, c.duration_ms), 0.95) OVER same AS p95
  FROM gateway.calls AS c
  WHERE ${where}
  WINDOW same AS (PARTITION BY TIMESTAMP_TRUNC(c.timestamp, ${step}))
)
SELECT bucket, SUM(call_count) AS calls, ANY_VALUE(p50) AS p50, ANY_VALUE(p95) AS p95,
  AVG(queue_ms) AS queue, AVG(planning_ms) AS planning, AVG(IF(query IS NULL, NULL, engine_ms)) AS engine,
  SUM(slices_kept) AS kept, SUM(slices_made) AS made, AVG(IF(query IS NULL, NULL, row_count)) AS rows_mean
FROM timed GROUP BY bucket ORDER BY bucket`;
  const slowest = `SELECT c.timestamp, c.key, c.query, c.cache, c.duration_ms, c.queue_ms, c.planning_ms, c.engine_ms,
  c.row_count, c.slices_kept, c.slices_made, c.code, c.request_id
FROM gateway.calls AS c WHERE ${where} AND c.query IS NOT NULL ORDER BY c.duration_ms DESC LIMIT 15`;
  const read = (sql: string) => client.json('/api/sql', { method: 'POST', body: { sql }, signal });
  const [ofTime, ofCalls] = await Promise.all([read(buckets), read(slowest)]);
  return {
    buckets: z.object({ result: z.array(bucket) }).parse(ofTime).result,
    slowest: z.object({ result: z.array(slow) }).parse(ofCalls).result,
  };
}

/** A step of a run, as the engine has measured it. */
export interface ProfileStep {
  readonly name: string;
  readonly details: readonly { readonly name: string; readonly text: string }[];
  readonly rows: number;
  readonly scanned?: number | undefined;
  readonly milliseconds: number;
  readonly children: readonly ProfileStep[];
}

const step: z.ZodMiniType<ProfileStep> = z.object({
  name: z.string(),
  details: z.array(z.object({ name: z.string(), text: z.string() })),
  rows: z.number(),
  scanned: z.optional(z.number()),
  milliseconds: z.number(),
  children: z.array(z.lazy(() => step)),
});

const profile = z.object({ milliseconds: z.number(), steps: z.array(step) });

export type QueryProfile = z.infer<typeof profile>;

/** Runs an endpoint, and says where the time of the run went. @throws Failure; the signal's reason */
export async function measureRun(
  client: Client,
  { name }: Pick<Endpoint, 'name'>,
  values: ParameterValues,
  signal: AbortSignal,
): Promise<QueryProfile> {
  const parameters = Object.fromEntries<Json>([...values]);
  const path = `/api/endpoint-profiles/${encodeURIComponent(name)}`;
  return profile.parse(await client.json(path, { method: 'POST', body: { parameters }, signal }));
}
