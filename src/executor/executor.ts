import type { Endpoint, EndpointTable } from '../endpoints/endpoint.ts';
import type { Cost, Estimate } from '../engines/engine.ts';
import type { ResultRows } from '../engines/rows/result-rows.ts';
import type { Plan } from '../sql/plan.ts';
import type { Column } from '../sql/type.ts';
import type { UsedFields } from '../sql/used-fields.ts';
import type { Value } from '../sql/value.ts';
import type { Bodies } from './cache/bodies.ts';
import type { HeldEntry } from './cache/entry-table.ts';

/** Who calls, as far as a run for him is about it. None of it changes the answer. */
export interface ExecutorCaller {
  /** The name of his key, whose budget runs are on. */
  readonly key: string;
  /** Bytes that the key may be billed in a day (UTC), where it has a figure of its own. */
  readonly bytesPerDay?: number;
  /** Labels for a job, as he has sent them: `k=v,k2=v2`. */
  readonly labels?: string;
  /** The reservation that he wants a job to run in, as he has sent it. */
  readonly reservation?: string;
}

/** One run of an endpoint. */
export interface ExecutorCall {
  readonly endpoint: Endpoint;
  /** A value for every parameter that the endpoint declares, by name; NULL where it is absent. */
  readonly parameters: ReadonlyMap<string, Value>;
  /** What to run instead of the stored query: one of its tables. */
  readonly query?: OtherQuery;
  /** What to plan, and run instead of the stored query. */
  readonly text?: QueryText;
  /** What is wanted of a row. All else may be NULL: less may be read for it. Left out, everything is wanted. */
  readonly wanted?: UsedFields | undefined;
  /** Absent where the gateway calls by itself. */
  readonly caller?: ExecutorCaller;
  /** Aborting it ends this caller's wait; the call then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Told how many milliseconds the engine has worked for the call, where nothing came of it. */
  readonly inVain?: (engineMs: number) => void;
}

/** A query over what an endpoint offers, other than the stored one. */
export interface OtherQuery {
  /** Says what is asked: queries of an endpoint with the same text have the same answer. */
  readonly canonical: string;
  readonly plan: Plan;
  /** Bytes of memory that the plan takes, where it isn't there anyway, as those of an endpoint's tables are. */
  readonly planBytes?: number;
  /** Rows beyond this many are cut off. */
  readonly maxRows: number;
  /** The tables of the endpoint that it reads. */
  readonly tables: readonly EndpointTable[];
}

/** A query that its caller brings along as a text, which is planned when it has its permit. */
export interface QueryText {
  /** Says what is asked, as far as texts tell: queries of an endpoint with the same one have the same plan. */
  readonly canonical: string;
  /**
   * The plan, if it is at hand.
   *
   * @throws GatewayError when it is known that there is none
   */
  known(): OtherQuery | undefined;
  /** @throws GatewayError saying what is wrong with the query; the signal's reason, as soon as it is aborted */
  plan(signal: AbortSignal): Promise<OtherQuery>;
  /** @throws GatewayError when this caller may not ask it */
  authorise(query: OtherQuery): void;
}

/** What became of a call in the cache. */
export interface CacheFacts {
  /**
   * `hit`: the rows were there. `miss`: they were made for this call. `stale`: they are too old, but could not be made
   * anew. `off`: the endpoint isn't cached.
   */
  readonly status: 'hit' | 'miss' | 'stale' | 'off';
  /** Whether the call shared the run of another one. */
  readonly collapsed: boolean;
  /** When the rows were made, in milliseconds since the epoch. */
  readonly madeAt: number;
  /** Until when the rows may be reused, in milliseconds since the epoch; for rows that are not kept, `madeAt`. */
  readonly freshUntil: number;
}

/** What a call gets. */
export interface ExecutorResult {
  readonly columns: readonly Column[];
  /** Whether the query had more rows than were wanted. */
  readonly truncated: boolean;
  /** Milliseconds that the engine worked for this call: 0 when it had not to. */
  readonly engineMs: number;
  /** What the run cost that the call has started or shared, on an engine that says so; absent for rows that were there. */
  readonly cost?: Cost;
  /** The rows, not redacted. */
  readonly rows: ResultRows;
  /** Bodies of answers with these rows: made once, shared by everybody who asks the same. */
  readonly bodies: Bodies;
  readonly cache: CacheFacts;
  /** The entry that the rows are in; undefined for rows that aren't kept. */
  readonly held?: HeldEntry;
}

/** What both handlers call to get rows. Failures that callers may see are `GatewayError`s. */
export interface Executor {
  execute(call: ExecutorCall): Promise<ExecutorResult>;
  /** Asks what the call would cost if it ran, without running it. What is in the cache makes no difference. */
  estimate(call: ExecutorCall): Promise<Estimate>;
}
