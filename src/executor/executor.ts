import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Plan } from '../sql/plan.ts';
import type { Column } from '../sql/type.ts';
import type { Row, Value } from '../sql/value.ts';

/** One run of an endpoint. */
export interface ExecutorCall {
  readonly endpoint: Endpoint;
  /** A value for every parameter that the endpoint declares, by name; NULL where it is absent. */
  readonly parameters: ReadonlyMap<string, Value>;
  /** One of the endpoint's tables to read instead of its query, and how many rows of it at most. */
  readonly table?: { readonly plan: Plan; readonly limit: number };
  /** Aborting it ends this caller's wait; the call then rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

export interface ExecutorResult {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Whether the query had more rows than the endpoint's `maxRows`. */
  readonly truncated: boolean;
  /** Milliseconds that the engine itself worked. */
  readonly engineMs: number;
}

/** What both faces call to get rows. Failures that callers may see are `GatewayError`s. */
export interface Executor {
  execute(call: ExecutorCall): Promise<ExecutorResult>;
}
