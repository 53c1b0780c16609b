import type { IncomingHttpHeaders } from 'node:http';

/** A request as the server has read it. */
export interface ReceivedRequest {
  readonly method: string;
  /** Percent-encoded, as it came, without `?` and what follows. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The body as text, decompressed; empty when there is none. */
  readonly body: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What is answered: JSON, or a page for people where there is no API. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: object;
  readonly html?: string;
}
