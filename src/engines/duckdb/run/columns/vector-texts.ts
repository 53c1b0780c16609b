import duckdb from '@duckdb/node-bindings';
import type { ColumnData } from '../../../../sql/columns/column-batch.ts';

/** The size of DuckDB's `string_t`: the length in four bytes, and then the text, or four bytes of it and a pointer. */
const textBytes = 16;
const textWords = 4;
/** The maximum length of a text without a pointer. */
const maxInlined = 12;

/**
 * The texts of a vector, or its blobs. DuckDB puts texts next to each other when it copies a chunk of a result, so most
 * of them are read by few calls.
 *
 * @param isPresent whether the value at an index, counted from `start`, isn't NULL; the others have no valid pointers
 */
export function vectorTexts(
  vector: duckdb.Vector,
  start: number,
  count: number,
  isPresent: (index: number) => boolean,
): Pick<ColumnData, 'offsets' | 'data'> {
  const raw = duckdb.vector_get_data(vector, (start + count) * textBytes);
  const { buffer, byteOffset } = raw;
  const words = new Uint32Array(buffer, byteOffset, (start + count) * textWords);
  const lengthAt = (index: number) => words[(start + index) * textWords] ?? 0;

  const offsets = new Int32Array(count + 1);
  let bytes = 0;
  for (let index = 0; index < count; index++) {
    if (isPresent(index)) bytes += lengthAt(index);
    offsets[index + 1] = bytes;
  }
  // All of it is overwritten.
  const data = Buffer.allocUnsafeSlow(bytes);

  /** Texts at adjacent addresses: the first and the last of them, and their bytes. There may be short ones in between. */
  let first = -1;
  let last = -1;
  let runBytes = 0;
  let runEnd = 0;
  const placeRun = () => {
    if (first < 0) return;
    const pointerAt = byteOffset + (start + first) * textBytes + 8;
    const run = duckdb.get_data_from_pointer(buffer as ArrayBuffer, pointerAt, runBytes);
    const to = offsets[first] ?? 0;
    if ((offsets[last + 1] ?? 0) - to === runBytes) {
      data.set(run, to);
      return;
    }
    let at = 0;
    for (let index = first; index <= last; index++) {
      const from = offsets[index] ?? 0;
      const length = (offsets[index + 1] ?? 0) - from;
      if (length <= maxInlined) continue;
      data.set(run.subarray(at, at + length), from);
      at += length;
    }
  };
  for (let index = 0; index < count; index++) {
    const to = offsets[index] ?? 0;
    const length = (offsets[index + 1] ?? 0) - to;
    if (length === 0) continue;
    const word = (start + index) * textWords;
    if (length <= maxInlined) {
      const from = word * 4 + 4;
      for (let at = 0; at < length; at++) data[to + at] = raw[from + at] ?? 0;
      continue;
    }
    // Addresses have fewer bits than a number has digits.
    const pointer = (words[word + 2] ?? 0) + (words[word + 3] ?? 0) * 2 ** 32;
    if (first < 0 || pointer !== runEnd) {
      placeRun();
      first = index;
      runBytes = 0;
    }
    last = index;
    runBytes += length;
    runEnd = pointer + length;
  }
  placeRun();
  return { offsets, data };
}

/** The total length of a vector's texts, in bytes. */
export function textsLength(
  vector: duckdb.Vector,
  start: number,
  count: number,
  isPresent: (index: number) => boolean,
): number {
  const raw = duckdb.vector_get_data(vector, (start + count) * textBytes);
  const words = new Uint32Array(raw.buffer, raw.byteOffset, (start + count) * textWords);
  let sum = 0;
  for (let index = start; index < start + count; index++) {
    if (isPresent(index)) sum += words[index * textWords] ?? 0;
  }
  return sum;
}
