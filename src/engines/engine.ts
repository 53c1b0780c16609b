import type { Plan } from '../sql/plan.ts';
import type { Column } from '../sql/type.ts';
import type { UsedFields } from '../sql/used-fields.ts';
import type { Value } from '../sql/value.ts';
import type { Job } from './job.ts';
import type { ResultRows } from './rows/result-rows.ts';

/** What an engine is asked to run. */
export interface EngineRequest {
  readonly plan: Plan;
  /** A value for every parameter that the plan declares, by name as declared; NULL where it is absent. */
  readonly parameters: ReadonlyMap<string, Value>;
  /** Rows beyond this many are neither fetched nor returned. */
  readonly maxRows: number;
  /** What is wanted of a row; an engine may give NULL in the place of all else. Left out, everything is. */
  readonly wanted?: UsedFields | undefined;
  /** Whether the rows are going to be kept as they are packed. */
  readonly isKept?: boolean;
  /** Aborting it cancels the engine's work; the run then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Milliseconds until the signal is aborted at the latest. */
  readonly timeoutMs: number;
  readonly job: Job;
}

/** What an engine answers. */
export interface EngineResult {
  readonly columns: readonly Column[];
  readonly rows: ResultRows;
  /** Whether the query had more rows than `maxRows`. */
  readonly truncated: boolean;
  /** Milliseconds that the engine worked and handed its rows over, queueing left out. */
  readonly engineMs: number;
  /** What the run cost, on an engine that says so. */
  readonly cost?: Cost;
}

/** What a run cost, as BigQuery counts it (`JobStatistics2`). */
export interface Cost {
  readonly bytesProcessed: number;
  /** Absent where BigQuery didn't say it: at least `bytesProcessed` then. */
  readonly bytesBilled?: number;
  /** Absent where BigQuery didn't say it. */
  readonly slotMs?: number;
  /** Whether the engine had the rows in a cache of its own, and billed nothing. */
  readonly engineCacheHit: boolean;
}

/** What a query would cost. */
export interface Estimate {
  /** Bytes that it would read at most; undefined on an engine that can't tell. */
  readonly bytesProcessed: number | undefined;
}

/**
 * Where queries run. Implementations decode every value to the forms of `Value`, refuse results with a NULL in an array,
 * as BigQuery does, and give every failure as a `GatewayError`: `BAD_USER_INPUT` when a parameter's value is to blame, `QUERY_FAILED` when the query or
 * its data are, `COST_LIMIT_EXCEEDED`, `OVERLOADED`, `BACKEND_UNAVAILABLE`, `QUERY_TIMEOUT`. They never give an empty
 * result for a failure.
 */
export interface Engine {
  readonly name: 'duckdb' | 'bigquery';
  /** Whether it reads less where less is wanted of a result. */
  readonly readsWanted?: boolean;
  run(request: EngineRequest): Promise<EngineResult>;
  /** Asks what a query would cost, without running it. Fails as `run` does. */
  estimate(request: EngineRequest): Promise<Estimate>;
  /** Refuses what the engine can't run, by a `GatewayError` that names the construct. Runs nothing. */
  prepare(plan: Plan, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
