import type { Row } from '../../sql/values/value.ts';
import { sizeOf } from '../../sql/values/value-size.ts';

/** The maximum size of a chunk with several rows. It is deserialised and rendered in about a millisecond. */
const chunkSize = 100_000;
/** The size of a value besides its text: it takes as long as this number of characters. */
const valueSize = 8;

/** The sum of the sizes of rows. */
export function sizeOfRows(rows: readonly Row[]): number {
  let size = 0;
  for (const row of rows) size += rowSize(row);
  return size;
}

/** The size of a row in a chunk, which is about its size in bytes. */
export function rowSize(row: Row): number {
  return sizeOf(row, valueSize);
}

/**
 * Rows in chunks.
 *
 * @param bytes the sum of their sizes
 */
export function* inChunks(rows: readonly Row[], bytes = sizeOfRows(rows)): Generator<readonly Row[]> {
  if (bytes <= chunkSize) {
    if (rows.length > 0) yield rows;
    return;
  }
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
