import type { Readable } from 'node:stream';
import { ApiError, NoAnswer } from './api-error.ts';

/** More than any page: BigQuery limits pages to about 10 MB, which JSON enlarges. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Reads the body of a response as text.
 *
 * @throws NoAnswer when it is incomplete
 * @throws ApiError when it is too long, or not UTF-8
 */
export async function readBody(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw new NoAnswer(`the answer was cut: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (bytes > maxBytes) throw unreadable(`an answer of more than ${maxBytes} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks, bytes));
  } catch {
    throw unreadable("an answer that isn't UTF-8");
  }
}

function unreadable(message: string): ApiError {
  return new ApiError(undefined, { reason: '', message });
}
