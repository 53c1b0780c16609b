import type { Executor } from '../executor/executor.ts';

/** What became of one call of an endpoint or of one of its tables; shown in the answer's extensions. */
export interface CallReport {
  /** The field in the answer, as `logsAllTables.edgeLogs`. */
  readonly path: string;
  /** The endpoint's name. */
  readonly endpoint: string;
  /** How many rows are in the answer. */
  readonly rows: number;
  /** Whether there were more than the endpoint, or the argument `limit`, lets through. */
  readonly truncated: boolean;
  /** Milliseconds that the engine worked. */
  readonly engineMs: number;
}

/** What the resolvers of one operation share. */
export interface GraphqlContext {
  readonly executor: Executor;
  /** Aborted at the request's deadline, or when its client leaves. */
  readonly signal: AbortSignal;
  /** Whether this request asked for redaction. */
  readonly redactPii: boolean;
  /** Where the caller reaches the gateway, as `http://127.0.0.1:4000`. */
  readonly baseUrl: string;
  /** Filled by the resolvers. */
  readonly calls: CallReport[];
}
