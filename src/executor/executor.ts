import type { Endpoint } from '../endpoints/endpoint.ts';
import type { EngineResult } from '../engines/engine.ts';
import type { Plan } from '../sql/plan.ts';
import type { Value } from '../sql/value.ts';

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

/** What an engine answers; where it came from is the executor's affair. */
export type ExecutorResult = EngineResult;

/** What both faces call to get rows. Failures that callers may see are `GatewayError`s. */
export interface Executor {
  execute(call: ExecutorCall): Promise<ExecutorResult>;
}
