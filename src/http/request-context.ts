import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../access/caller.ts';
import type { RequestLogFields } from './request-log-fields.ts';

/** One request and its answer, as the listener hands them to a handler. */
export interface RequestContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** What becomes of it, for those who watch: filled by whoever learns of it. */
  readonly logFields: RequestLogFields;
  /** The path of the request target, still percent-encoded, without the query string. */
  readonly path: string;
  /** The query string, still percent-encoded, without the `?`. */
  readonly query: string;
  /** Who calls, from when that is known on. */
  caller?: Caller;
  /** The request's body. A client that waits for leave to send it is given leave. */
  openBody(): IncomingMessage;
  /**
   * Counts bytes of memory that the request takes until it is answered.
   *
   * @throws GatewayError OVERLOADED when all requests together take too many
   */
  holdMemory(bytes: number): void;
}

/**
 * A part of the gateway that answers some paths. It gives undefined at once for paths that aren't its own;
 * otherwise it answers the context, failures included.
 */
export type RouteHandler = (context: RequestContext) => Promise<void> | undefined;
