import type { Row } from '../../sql/value.ts';
import { sizeOf } from '../../sql/value-size.ts';

/** How large a chunk is at most, but for one of a single row: such are unpacked and rendered within a millisecond or so. */
const chunkSize = 100_000;
/** What a value counts beside the characters of its text: it takes as long as so many of them. */
const valueSize = 8;

/** How large a row is in a chunk, which is about what it takes in bytes. */
export function rowSize(row: Row): number {
  return sizeOf(row, valueSize);
}

/** Rows in chunks. */
export function* inChunks(rows: readonly Row[]): Generator<readonly Row[]> {
  let start = 0;
  let size = 0;
  for (const [index, row] of rows.entries()) {
    const more = rowSize(row);
    if (size + more > chunkSize && index > start) {
      yield rows.slice(start, index);
      start = index;
      size = 0;
    }
    size += more;
  }
  if (start < rows.length) yield rows.slice(start);
}
