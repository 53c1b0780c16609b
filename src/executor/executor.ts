import type { Account } from '../access/account.ts';
import type { ColumnBatch } from '../columns/column-batch.ts';
import type { Endpoint, EndpointTable } from '../endpoints/endpoint.ts';
import type { Cost, Estimate, StreamEnd } from '../engines/engine.ts';
import type { ResultRows } from '../engines/rows/result-rows.ts';
import type { Plan } from '../sql/plan.ts';
import type { Column } from '../sql/type.ts';
import type { UsedFields } from '../sql/used-fields.ts';
import type { Value } from '../sql/value.ts';
import type { Bodies } from './cache/bodies.ts';
import type { CachedEntry } from './cache/entry-table.ts';

/** The caller, as far as a run depends on it. None of it changes the answer. */
export interface ExecutorCaller {
  /** The name of the caller's key, whose budget runs use. */
  readonly key: string;
  /** Whose turn it is when the call has to wait, and whose memory it uses. */
  readonly account: Account;
  /** Bytes that the key may be billed in a day (UTC), if it has a figure of its own. */
  readonly bytesPerDay?: number;
  /** For a token, the key that it was issued under, whose budget runs use as well. */
  readonly issuer?: Pick<ExecutorCaller, 'key' | 'bytesPerDay'>;
  /** Labels for a job, as sent: `k=v,k2=v2`. */
  readonly labels?: string;
  /** The reservation for a job, as sent. */
  readonly reservation?: string;
}

/** One run of an endpoint. */
export interface ExecutorCall {
  readonly endpoint: Endpoint;
  /** A value for every parameter that the endpoint declares, by name; NULL where it is absent. */
  readonly parameters: ReadonlyMap<string, Value>;
  /** What to run instead of the stored query: one of its tables. */
  readonly query?: OtherQuery;
  /** A text to plan and run instead of the stored query. */
  readonly text?: QueryText;
  /** The fields that are read of a row; the others may be NULL. Absent means all. */
  readonly wanted?: UsedFields | undefined;
  /**
   * Rows that were read before this time are not an answer, in milliseconds since the epoch. They are one nevertheless if
   * another call's run is shared, or if no new ones can be made: see `ExecutorResult.readAt`.
   */
  readonly notBefore?: number;
  /** Absent for calls by the gateway itself. */
  readonly caller?: ExecutorCaller;
  /** Aborting it ends this caller's wait; the call then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Called with the engine time of a failed run, in milliseconds. */
  readonly onFailedRun?: (engineMs: number) => void;
}

/** A query over the tables of an endpoint, other than the stored one. */
export interface OtherQuery {
  /** Identifies the query: queries of an endpoint with the same text have the same answer. */
  readonly canonical: string;
  readonly plan: Plan;
  /** Bytes of memory of the plan; none for the plans of an endpoint's tables, which exist anyway. */
  readonly planBytes?: number;
  /** Rows beyond this many are cut off. */
  readonly maxRows: number;
  /** The tables of the endpoint that it reads. */
  readonly tables: readonly EndpointTable[];
}

/** An ad-hoc query as a text, which is planned when it has its permit. */
export interface QueryText {
  /** Identifies the text: equal texts of an endpoint have the same plan. */
  readonly canonical: string;
  /**
   * The plan, if it is cached.
   *
   * @throws GatewayError when the query is known to be invalid
   */
  known(): OtherQuery | undefined;
  /** @throws GatewayError if the query is invalid; the signal's reason, as soon as it is aborted */
  plan(signal: AbortSignal): Promise<OtherQuery>;
  /** @throws GatewayError if this caller may not run the query */
  authorise(query: OtherQuery): void;
}

/** How the cache answered a call. */
export interface CacheFacts {
  /**
   * `hit`: the rows were cached. `miss`: they were made for this call. `stale`: they are too old, but new ones could not be
   * made. `off`: the endpoint isn't cached.
   */
  readonly status: 'hit' | 'miss' | 'stale' | 'off';
  /** Whether the call shared the run of another one. */
  readonly collapsed: boolean;
  /** When the rows were made, in milliseconds since the epoch. */
  readonly madeAt: number;
  /** Until when the rows may be reused, in milliseconds since the epoch; `madeAt` for rows that aren't cached. */
  readonly freshUntil: number;
}

/** The result of a call. */
export interface ExecutorResult {
  readonly columns: readonly Column[];
  /** Whether the query had more rows than the limit. */
  readonly truncated: boolean;
  /** Milliseconds that the engine worked for this call; 0 for cached rows. */
  readonly engineMs: number;
  /** About when the engine began to read the rows, in milliseconds since the epoch. */
  readonly readAt: number;
  /** The cost of the run that the call started or shared, if the engine reports it; absent for cached rows. */
  readonly cost?: Cost;
  /** The rows, not redacted. */
  readonly rows: ResultRows;
  /** Response bodies with these rows: made once, shared by all calls with the same key. */
  readonly bodies: Bodies;
  readonly cache: CacheFacts;
  /** The cached entry of the rows; undefined for rows that aren't cached. */
  readonly cachedEntry?: CachedEntry;
}

/** The next rows of an export. The first part has none: it tells the columns. */
export interface ExportedRows {
  readonly columns: readonly Column[];
  readonly batch?: ColumnBatch;
}

/** Receives the rows of an export. The executor waits for it. Its failure ends the export. */
export type TakeExported = (exported: ExportedRows) => void | Promise<void>;

/** Gets rows for REST and GraphQL. Failures that callers may see are `GatewayError`s. */
export interface Executor {
  execute(call: ExecutorCall): Promise<ExecutorResult>;
  /**
   * Runs the call for up to the endpoint's `exportRows` rows, and hands them over at the receiver's pace. They are neither
   * cached nor shared. Fails like `execute`, possibly after some of the rows.
   */
  stream(call: ExecutorCall, take: TakeExported): Promise<StreamEnd>;
  /** Asks for the expected cost of the call without running it. The cache makes no difference. */
  estimate(call: ExecutorCall): Promise<Estimate>;
}
