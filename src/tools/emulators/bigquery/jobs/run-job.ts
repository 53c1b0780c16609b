import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../../../base/errors/errors.ts';
import type { DuckDbEngine } from '../../../../engines/duckdb/run/duckdb-engine.ts';
import type { ErrorProto } from '../wire/google-error.ts';
import type { JobResult } from './job.ts';
import type { PlannedJob } from './plan-job.ts';
import type { QuerySpec } from './query-spec.ts';

/** The largest result that the emulator keeps for a job, in rows. */
const maxRows = 1_000_000;

/** Runs a planned query on the embedded engine. Returns the rows, or the job's error. */
export async function runJob(
  { plan, values }: PlannedJob,
  engine: Pick<DuckDbEngine, 'run'>,
  signal: AbortSignal,
): Promise<JobResult | ErrorProto> {
  try {
    const { columns, rows, truncated } = await engine.run({ plan, parameters: values, maxRows, signal });
    if (truncated) {
      return {
        reason: 'responseTooLarge',
        message:
          'Response too large to return. Consider specifying a destination table in your job configuration.',
      };
    }
    return { columns, rows: await rows.all(), cacheHit: false };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    switch (error.code) {
      case 'QUERY_FAILED':
      case 'BAD_USER_INPUT':
        return invalidQuery(error.message);
      default:
        return {
          reason: 'backendError',
          message: 'Error encountered during execution. Retrying may solve the problem.',
        };
    }
  }
}

function invalidQuery(message: string): ErrorProto {
  return { reason: 'invalidQuery', message, location: 'query' };
}

const maxEntries = 100;

/** Non-deterministic functions. Queries that use them are not cached. */
const volatileFunctions = /\b(?:CURRENT_\w+|RAND|GENERATE_UUID)\b/i;

/**
 * Caches results by project, text and parameters while the tables are unchanged. A table counts as changed if the
 * number of its rows differs. Queries without a table aren't cached.
 *
 * Source: https://cloud.google.com/bigquery/docs/cached-results
 */
export class QueryCache {
  readonly #isOn: boolean;
  readonly #rowCount: (source: string) => Promise<number>;
  readonly #results = new LRUCache<string, JobResult>({ max: maxEntries });

  constructor(isOn: boolean, rowCount: (source: string) => Promise<number>) {
    this.#isOn = isOn;
    this.#rowCount = rowCount;
  }

  /** The key of a query with the current state of the tables. Undefined if its rows aren't cached. */
  async key(
    { query, projectId }: QuerySpec,
    { plan, referencedTables }: PlannedJob,
  ): Promise<string | undefined> {
    if (!this.#isOn || !query.useQueryCache || referencedTables.length === 0) return undefined;
    if (volatileFunctions.test(plan.sql)) return undefined;
    const counts = await Promise.all(referencedTables.map(({ source }) => this.#rowCount(source)));
    return JSON.stringify([projectId, plan.sql, query.parameters, query.defaultDataset, counts]);
  }

  get(key: string): JobResult | undefined {
    return this.#results.get(key);
  }

  set(key: string, result: JobResult): void {
    this.#results.set(key, { ...result, cacheHit: true });
  }
}
