import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { GoogleError } from './google-error.ts';

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

const maxBodyBytes = 10_485_760;

/** @throws GoogleError when the body is too large */
export async function readRequest(message: IncomingMessage, at: number): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    const bytes: Buffer = chunk;
    size += bytes.length;
    if (size > maxBodyBytes) {
      throw GoogleError.badRequest('', `Request payload size exceeds the limit: ${maxBodyBytes} bytes.`);
    }
    chunks.push(bytes);
  }
  const bytes = Buffer.concat(chunks);
  const isCompressed = message.headers['content-encoding'] === 'gzip';
  const target = message.url ?? '/';
  const mark = target.indexOf('?');
  return {
    method: message.method ?? 'GET',
    path: mark === -1 ? target : target.slice(0, mark),
    query: new URLSearchParams(mark === -1 ? '' : target.slice(mark + 1)),
    headers: message.headers,
    body: (isCompressed && size > 0 ? gunzipSync(bytes) : bytes).toString(),
    at,
  };
}

/** A resource's `etag`. */
export function etagOf(resource: object): string {
  return createHash('sha256').update(JSON.stringify(resource)).digest('base64').slice(0, 24);
}
