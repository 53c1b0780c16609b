import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Answer, ReceivedRequest } from '../wire/request.ts';

/** A response as sent: the head and the bytes of the body. */
interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** Encodes a response, compressed if the request allows it. `text` replaces the JSON's own text. */
export function wireAnswer(
  answer: Answer,
  { headers }: Pick<ReceivedRequest, 'headers'>,
  text?: string,
): WireAnswer {
  const isJson = answer.json !== undefined;
  const body = Buffer.from(text ?? (isJson ? JSON.stringify(answer.json) : (answer.html ?? '')));
  const zip = isJson && /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
  const bytes = zip ? gzipSync(body, { level: 1 }) : body;
  return {
    status: answer.status,
    bytes,
    headers: {
      'content-type': isJson ? 'application/json; charset=UTF-8' : 'text/html; charset=UTF-8',
      vary: 'Origin, X-Origin, Referer',
      'cache-control': 'private',
      ...(zip && { 'content-encoding': 'gzip' }),
      ...answer.headers,
    },
  };
}

export function send(response: ServerResponse, { status, headers, bytes }: WireAnswer): void {
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  response.end(bytes);
}

/** Starts the response, and resets the connection after half of the body. */
export function sendHalf(response: ServerResponse, { status, headers, bytes }: WireAnswer): void {
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length >> 1), () => reset(response));
}

/** Sends half of the body as if it were complete. */
export function sendCut(response: ServerResponse, { status, headers, bytes }: WireAnswer): void {
  response.writeHead(status, headers);
  response.end(bytes.subarray(0, bytes.length >> 1));
}

/** Closes the connection by a TCP reset. */
export function reset({ socket }: ServerResponse): void {
  socket?.resetAndDestroy();
}
