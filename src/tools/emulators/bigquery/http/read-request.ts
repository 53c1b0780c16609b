import type { IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { GoogleError } from '../wire/google-error.ts';
import type { ReceivedRequest } from '../wire/request.ts';

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
