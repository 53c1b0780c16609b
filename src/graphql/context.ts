import type { Caller } from '../access/caller.ts';
import type { Cost } from '../engines/engine.ts';
import type { CachedEntry } from '../executor/cache/entry-table.ts';
import type { CacheFacts, Executor, ExecutorCaller } from '../executor/executor.ts';
import type { RequestLogFields } from '../http/request-log-fields.ts';
import type { AdHocQueries } from '../sandbox/ad-hoc-query.ts';

/** What became of one call of an endpoint or of one of its tables. */
export interface AnsweredCall {
  /** The field in the answer, as `logsAllTables.edgeLogs`. */
  readonly path: string;
  /** The endpoint's name. */
  readonly endpoint: string;
  /** How many rows are in the answer. */
  readonly rows: number;
  /** Whether there were more than the endpoint, or the argument `limit`, lets through. */
  readonly truncated: boolean;
  /** Milliseconds that the engine worked for it. */
  readonly engineMs: number;
  /** What the run cost that it has started or shared, if the engine says so. */
  readonly cost?: Cost;
  readonly cache: CacheFacts;
  /** The entry that the rows are in, if they are kept. */
  readonly cachedEntry?: CachedEntry;
}

/** What the resolvers of one operation share. */
export interface GraphqlContext {
  readonly executor: Executor;
  readonly adHocQueries: AdHocQueries;
  /** Whose key it is, which each field is held to by itself. */
  readonly keyHolder: Caller;
  readonly caller: ExecutorCaller;
  /** Aborted at the request's deadline, or when its client leaves. */
  readonly signal: AbortSignal;
  /** Whether this request asked for redaction. */
  readonly redactPii: boolean;
  /** What becomes of the request, for those who watch. */
  readonly logFields: RequestLogFields;
  /** Where the caller reaches the gateway, as `http://127.0.0.1:4000`. */
  readonly baseUrl: string;
  /** How much the resolvers have brought, of all operations of the request. */
  readonly answerSize: { bytes: number };
  /** Filled by the resolvers. */
  readonly calls: AnsweredCall[];
  /** Set by a resolver whose part of the answer is not to be given again. */
  isOnlyForNow?: boolean;
}
