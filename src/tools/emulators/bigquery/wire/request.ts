import type { IncomingHttpHeaders } from 'node:http';

/** A received request. */
export interface ReceivedRequest {
  readonly method: string;
  /** The path as received, percent-encoded and without the query string. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The body as text, decompressed. Empty if there is none. */
  readonly body: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The response: JSON, or an HTML page where the API has no method. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: object;
  readonly html?: string;
}
