import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayError } from '../../../base/errors/errors.ts';
import type { Holding } from '../../../base/memory/memory-budget.ts';
import type { Caller } from '../../../calls/access/caller/caller.ts';
import type { RateLimits } from '../../../calls/executor/allowances/allowances.ts';
import type { RequestLogFields } from './request-log.ts';

/** A request and its response, as passed to route handlers. */
export interface RequestContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** The fields of the request's log line, filled while it is processed. */
  readonly logFields: RequestLogFields;
  /** The path of the request target, still percent-encoded, without the query string. */
  readonly path: string;
  /** The query string, still percent-encoded, without the `?`. */
  readonly query: string;
  /** The CORS headers of the response: names and values alternate. */
  readonly cors: readonly string[];
  /** The caller, once authenticated. */
  caller?: Caller;
  /** What is left of the caller's allowances, once authenticated. */
  rateLimits?: () => RateLimits;
  /**
   * Refuses the authenticated caller if its key or token is no longer valid, or allows something else now. Called after
   * a body has arrived, and again and again while a response lasts.
   *
   * @throws GatewayError UNAUTHENTICATED, BACKEND_UNAVAILABLE
   */
  requireStillValid?: () => void;
  /** Returns the request's body. Sends `100 Continue` to a client that waits for it. */
  openBody(): IncomingMessage;
  /**
   * Begins to count the memory of the request's body, for the caller, until the request is answered.
   *
   * @param end ends the reading of the body
   */
  holdBody(end: (reason: GatewayError) => void): Holding;
  /**
   * Counts memory that the answer needs, for the caller, until the result is disposed of. The request may be refused to free it.
   *
   * @param memory the same object for memory that several requests share
   * @throws GatewayError OVERLOADED, RATE_LIMITED if answers take too much memory
   */
  holdAnswer(memory: object, bytes: number): Disposable;
}
