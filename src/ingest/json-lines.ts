import { arrayElements } from './array-elements.ts';
import { peek } from './peek.ts';

/** Bytes within which an array must begin. */
const maxBlankBytes = 1 << 16;

/** The length of a byte order mark, which counts as white space here. */
const markBytes = 3;

/** Rows as NDJSON: unchanged, or the elements of a JSON array. */
export async function* jsonLines(given: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const isTold = (read: Buffer) =>
    read.length > maxBlankBytes || (read.length >= markBytes && read.toString('utf8').trim() !== '');
  const { head, bytes } = await peek(given, isTold);
  const isArray = head.toString('utf8').trimStart().startsWith('[');
  yield* isArray ? arrayElements(bytes) : bytes;
}
