import type { IncomingMessage } from 'node:http';
import type { GatewayError } from '../../base/errors/errors.ts';
import type { Caller, Scope } from '../../calls/access/caller/caller.ts';
import type { ApiName } from './request/api-name.ts';
import type { Deadline } from './request/deadline.ts';
import type { RequestContext } from './request/request-context.ts';
import type { Answer } from './response/answer.ts';

/** A request of a route. Its method and its caller have been checked. */
export interface RouteCall {
  readonly context: RequestContext;
  /** The part of the path at `{name}`, decoded; an empty text if the route has no such part. */
  readonly segment: string;
  /** The part of the path at `{version}`, as written. */
  readonly version?: string | undefined;
  readonly deadline: Deadline;
  /** The largest body, in bytes. */
  readonly maxBodyBytes: number;
  /** Answers a failure after the handler has returned: that of a stream. */
  readonly fail: (thrown: unknown) => void;
}

/** A request of a route that needs a key. */
export interface KeyedCall extends RouteCall {
  readonly caller: Caller;
}

/** Returns the answer; undefined if it has sent one itself. Errors that it throws are answered. */
type Handler<Call> = (call: Call) => Promise<Answer | undefined>;
export type PublicHandler = Handler<RouteCall>;
export type KeyedHandler = Handler<KeyedCall>;

/** Makes the answer to a failure. */
export type Refusal = (error: GatewayError, context: Pick<RequestContext, 'request'>) => Answer;

/** A line of the table of routes. */
export type Route = RoutePlace &
  (
    | { readonly scope: 'public'; readonly answer: PublicHandler | undefined }
    | {
        /** What the key must have: `any` is any key. `write` also excludes keys that are bound to some rows. */
        readonly scope: Scope | 'any';
        /** Whether the key must see all data. */
        readonly isUnrestricted?: boolean;
        /** Without it, the route does not exist. */
        readonly answer: KeyedHandler | undefined;
      }
  );

interface RoutePlace {
  /** As OpenAPI writes it: `/api/keys/{key}`. At its end, `{/}` is a slash that may be left out. A second variable part is `{version}`. */
  readonly path: string;
  readonly spellings?: readonly string[];
  /** All but OPTIONS, which every route has. */
  readonly methods: readonly string[];
  /** The API that metrics count the request for: `other` by default. */
  readonly api?: ApiName;
  /** The time until the answer, in milliseconds. Without it, a request ends when its client leaves. */
  readonly timeoutMs?: number;
  /** The largest body, in bytes. Uploads have none, and a REST call has one for each media type. */
  readonly maxBodyBytes?: number;
  /** Whether requests are exempt from the limit per address. */
  readonly isUncounted?: boolean;
  /** For which requests the route exists: for all by default. */
  readonly accepts?: (request: IncomingMessage) => boolean;
  /** The answer to a failure, in the form of the API: that of REST by default. */
  readonly refusal?: Refusal;
}
