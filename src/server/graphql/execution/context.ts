import type { Caller, Payer } from '../../../calls/access/caller/caller.ts';
import type { CallParts } from '../../../calls/call.ts';
import type { CalledVersion } from '../../../calls/call-log.ts';
import type { CachedEntry } from '../../../calls/executor/entry-table.ts';
import type { CacheFacts } from '../../../calls/executor/executor.ts';
import type { Cost, SliceCounts } from '../../../engines/engine/engine.ts';
import type { RequestLogFields } from '../../http/request/request-log.ts';
import type { LiveStream } from '../../http/response/live-streams.ts';
import type { AnswerMaking } from './answer-making.ts';

/** The outcome of one call of an endpoint or of one of its tables. */
export interface AnsweredCall {
  /** The field's path in the response, such as `logsAllTables.edgeLogs`. */
  readonly path: string;
  /** The endpoint's name. */
  readonly endpoint: string;
  /** Its version. */
  readonly called: CalledVersion;
  /** The number of rows in the response. */
  readonly rows: number;
  /** Whether the endpoint's maximum or the argument `limit` cut rows off. */
  readonly truncated: boolean;
  /** Milliseconds of engine time. */
  readonly engineMs: number;
  /** The cost of the run that the call started or shared, if the engine reports one. */
  readonly cost?: Cost;
  /** The slices from which the result was merged, if it was. */
  readonly slices?: SliceCounts;
  readonly cache: CacheFacts;
  /** The cached entry of the rows, if they are cached. */
  readonly cachedEntry?: CachedEntry;
}

/** The parts of a request that subscriptions use. */
export interface Subscribing extends Pick<LiveStream, 'signal' | 'fail'> {
  /** The id of the last event that the client has, if it has lost its connection. */
  readonly lastEventId?: string | undefined;
}

/** The state that the resolvers of one request share. */
export interface GraphqlContext {
  readonly calls: CallParts;
  /** The caller's key. Each field checks what it may call. */
  readonly keyHolder: Caller;
  readonly payer: Payer;
  /** Aborted at the request's deadline, or when its client leaves. */
  readonly signal: AbortSignal;
  /** Whether this request, rather than one of its fields, asks for redaction. */
  readonly redactPii: boolean;
  /** Receives what is logged about the request. */
  readonly logFields: RequestLogFields;
  /** The URL at which the caller reaches the gateway, such as `http://127.0.0.1:4000`. */
  readonly baseUrl: string;
  readonly making: AnswerMaking;
  /** Filled by the resolvers. */
  readonly answered: AnsweredCall[];
  /** For subscriptions. Absent for requests that don't accept a stream of events. */
  readonly subscribing?: Subscribing;
  /** Set by a resolver whose part of the response must not be cached. */
  isUncacheable?: boolean;
}
