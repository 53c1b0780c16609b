import { LRUCache } from 'lru-cache';
import type { JobResult } from './job.ts';
import type { PlannedJob } from './plan-job.ts';
import type { QuerySpec } from './query-spec.ts';

const maxEntries = 100;

/** Functions with which a query's rows aren't kept: they give something else each time. */
const volatileFunctions = /\b(?:CURRENT_\w+|RAND|GENERATE_UUID)\b/i;

/**
 * The results of queries that ran before, for the same text and parameters while the tables are as they were: a source with
 * another number of rows isn't. Queries without a table aren't kept, and only what the same project asked.
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

  /** The key of a query as the tables are now; undefined when its rows aren't kept. */
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
