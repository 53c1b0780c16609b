import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request and its answer, as the listener hands them to a face. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** The path of the request target, still percent-encoded, without the query string. */
  readonly path: string;
  /** The query string, still percent-encoded, without the `?`. */
  readonly query: string;
  /** The request's body. A client that waits for leave to send it is given leave. */
  openBody(): IncomingMessage;
}

/**
 * A part of the gateway that answers some paths. It gives undefined at once for paths that aren't its own;
 * otherwise it answers the exchange, failures included.
 */
export type Face = (exchange: Exchange) => Promise<void> | undefined;
