import { arrayElements, objectLines } from './array-elements.ts';
import { peek } from './peek.ts';

/** Bytes within which the rows must begin, and the first line of an object must end. */
const maxBlankBytes = 1 << 16;

/** The length of a byte order mark, which counts as white space here. */
const markBytes = 3;

/** Rows as NDJSON: unchanged, or the elements of a JSON array, or objects that have several lines each. */
export async function* jsonLines(given: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const isTold = (read: Buffer) => {
    const start = read.length >= markBytes ? read.toString('utf8').trimStart() : '';
    return read.length > maxBlankBytes || start.startsWith('[') || start.includes('\n');
  };
  const { head, bytes } = await peek(given, isTold);
  const start = head.toString('utf8').trimStart();
  if (start.startsWith('[')) yield* arrayElements(bytes);
  else yield* beginsObject(start) ? objectLines(bytes) : bytes;
}

/** Whether the first line can't be the whole of an object: it ends where a value, a member or an element must follow. */
function beginsObject(start: string): boolean {
  return /^\{[^\n]*(?<=[[{,:])[\t\r ]*\n/.test(start);
}
