import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Answer, ReceivedRequest } from '../exchange.ts';

/** What goes out: the head, and the body's bytes. */
interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** The bytes of an answer, compressed where the request allows it. `text` stands in for the JSON's own. */
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

/** Begins the answer, and resets the connection when half of the body is out. */
export function sendHalf(response: ServerResponse, { status, headers, bytes }: WireAnswer): void {
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length >> 1), () => reset(response));
}

/** Half of the body, ended as if it were all. */
export function sendCut(response: ServerResponse, { status, headers, bytes }: WireAnswer): void {
  response.writeHead(status, headers);
  response.end(bytes.subarray(0, bytes.length >> 1));
}

/** Ends the connection by a TCP reset. */
export function reset({ socket }: ServerResponse): void {
  socket?.resetAndDestroy();
}
