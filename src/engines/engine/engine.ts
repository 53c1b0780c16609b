import type { Account } from '../../base/fairness/account.ts';
import type { Job } from '../../definitions/jobs/job.ts';
import type { ColumnBatch } from '../../sql/columns/column-batch.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import type { UsedFields } from '../../sql/plan/used-fields.ts';
import type { Column } from '../../sql/values/type.ts';
import type { Row, Value } from '../../sql/values/value.ts';
import type { ResultRows } from '../rows/result-rows.ts';
import type { QueryProfile } from './profile.ts';

/** A query for an engine, with its limits. */
export interface EngineRequest {
  readonly plan: Plan;
  /** A value for every declared parameter, by declared name; NULL if it is absent. */
  readonly parameters: ReadonlyMap<string, Value>;
  /** The maximum number of rows to fetch and return. */
  readonly maxRows: number;
  /** The wanted fields of a row. An engine may return NULL for all others. All if absent. */
  readonly wanted?: UsedFields | undefined;
  /** Whether the packed rows will be cached. */
  readonly isCacheable?: boolean;
  /** Aborting it cancels the engine's work. The run then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** The latest time at which the signal is aborted, in milliseconds from now. */
  readonly timeoutMs: number;
  readonly job: Job;
  /** The most bytes that it may read. One that would read more is refused (`COST_LIMIT_EXCEEDED`) before it reads any. */
  readonly maxScanBytes?: number | undefined;
  /** Who runs it; the gateway itself, if absent. */
  readonly account?: Account | undefined;
}

/** The result of an engine. */
export interface EngineResult {
  readonly columns: readonly Column[];
  readonly rows: ResultRows;
  /** Whether the query had more rows than `maxRows`. */
  readonly truncated: boolean;
  /** Milliseconds of engine time, including the transfer of rows but not queueing. */
  readonly engineMs: number;
  /** The cost of the run, if the engine reports one. */
  readonly cost?: Cost;
  /** Absent if the result isn't merged from slices. */
  readonly slices?: SliceCounts;
}

/** The slices of rows by time from which a result was merged. */
export interface SliceCounts {
  /** Those of earlier runs. */
  readonly kept: number;
  /** Those that were made for later runs. */
  readonly made: number;
}

/** Receives the next rows of a result. The engine waits for it. Its failure ends the query. */
export type TakeRows = (rows: readonly Row[]) => void | Promise<void>;

/** Receives the next rows of a result as columns. The engine waits for it. Its failure ends the query. */
export type TakeColumns = (batch: ColumnBatch) => void | Promise<void>;

/** The properties of a streamed result that are known after its last row. */
export type StreamEnd = Omit<EngineResult, 'columns' | 'rows'>;

/** The cost of a run, as BigQuery counts it (`JobStatistics2`). */
export interface Cost {
  readonly bytesProcessed: number;
  /** Absent if BigQuery didn't report it; then at least `bytesProcessed`. */
  readonly bytesBilled?: number;
  /** Absent if BigQuery didn't report it. */
  readonly slotMs?: number;
  /** Whether the rows came from the engine's own cache and nothing was billed. */
  readonly engineCacheHit: boolean;
}

/** The estimated cost of a query. */
export interface Estimate {
  /** The maximum number of bytes that it would read. Undefined if the engine can't tell. */
  readonly bytesProcessed: number | undefined;
  /** The maximum number of rows that it would read of all tables. Absent if the engine can't tell. */
  readonly rows?: number | undefined;
  /** What it would read of each table, the most bytes first. Absent if the engine can't tell. */
  readonly tables?: readonly TableEstimate[];
}

/** What a query would read of a table at most. A table that is read twice counts twice. */
export interface TableEstimate {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  /** Whether all of its rows may be read: no bound of time leaves any out. */
  readonly isWhole: boolean;
  /** The column with the time by which queries can leave rows out. Absent if there is none. */
  readonly time?: string;
}

/**
 * Runs queries. Implementations decode every value to the forms of `Value`, and refuse results with a NULL in an array,
 * as BigQuery does. Every failure is a `GatewayError`, never an empty result: `BAD_USER_INPUT` if a parameter's value
 * is the cause, `QUERY_FAILED` if the query or its data are, `COST_LIMIT_EXCEEDED`, `OVERLOADED`,
 * `BACKEND_UNAVAILABLE`, `QUERY_TIMEOUT`.
 */
export interface Engine {
  /** Its name in the setting ENGINE. */
  readonly name: string;
  /** Whether it reads less if fewer fields of a result are wanted. */
  readonly readsWanted?: boolean;
  /** Whether a query can use all processors that others of this gateway need. */
  readonly usesAllProcessors?: boolean;
  run(request: EngineRequest): Promise<EngineResult>;
  /**
   * Runs a query and hands over its rows as columns at the receiver's pace, however many they are. Fails like `run`,
   * possibly after some of the rows.
   */
  stream(request: EngineRequest, take: TakeColumns): Promise<StreamEnd>;
  /** Estimates the cost of a query without running it. Fails like `run`. */
  estimate(request: EngineRequest): Promise<Estimate>;
  /** Runs a query, drops its rows, and says where its time went. Fails like `run`. Absent if it can't tell. */
  profile?(request: EngineRequest): Promise<QueryProfile>;
  /** Throws a `GatewayError` naming the construct if the engine can't run the plan. Runs nothing. */
  prepare(plan: Plan, signal?: AbortSignal): Promise<void>;
  /** Drops the slices that an endpoint, given by its id, has used; all of them, if none is given. Absent if they are never too old. */
  dropSlices?(endpoint?: string): void;
  close(): Promise<void>;
}
