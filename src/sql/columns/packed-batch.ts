import type { ColumnBatch, ColumnData, FixedData } from './column-batch.ts';

/**
 * Batches as bytes for another process on this machine, to be read without copies. Integers of 32 bits in the machine's
 * byte order come first:
 *
 * - the number of rows, and that of columns;
 * - for each column, and after it for its children: the number of values, that of NULLs, that of children, the class of
 *   its data (a place in `classes`), and the sizes in bytes of its validity, offsets and data, or `absent`.
 *
 * The buffers follow in the same order, each at a multiple of eight bytes.
 */
const classes = [Uint8Array, Uint32Array, Int32Array, BigInt64Array, Float64Array] as const;

const absent = 0xffff_ffff;
const batchWords = 2;
const columnWords = 7;
const alignment = 8;

/**
 * Packs a batch.
 *
 * @param allocate returns memory of this many bytes at least, at a multiple of eight bytes
 */
export function packBatch(
  { length, columns }: ColumnBatch,
  allocate: (bytes: number) => Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const all = withChildren(columns);
  const headerBytes = aligned((batchWords + all.length * columnWords) * 4);
  const bodyBytes = all.reduce((sum, column) => sum + buffersOf(column).reduce(plusAligned, 0), 0);
  const bytes = allocate(headerBytes + bodyBytes);
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, batchWords + all.length * columnWords);
  words.set([length, columns.length]);
  let at = headerBytes;
  for (const [index, column] of all.entries()) {
    const { data, children = [] } = column;
    const dataClass = classes.findIndex((each) => data instanceof each);
    const buffers = buffersOf(column);
    const sizes = buffers.map((buffer) => buffer?.byteLength ?? absent);
    const head = [column.length, column.nullCount, children.length, Math.max(0, dataClass), ...sizes];
    words.set(head, batchWords + index * columnWords);
    for (const buffer of buffers) {
      if (buffer === undefined) continue;
      bytes.set(new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength), at);
      at += aligned(buffer.byteLength);
    }
  }
  return bytes.subarray(0, at);
}

/** Reads a packed batch. Its columns are views of the bytes, if these begin at a multiple of eight bytes. */
export function unpackBatch(packed: Uint8Array): ColumnBatch {
  const bytes = packed.byteOffset % alignment === 0 ? packed : Uint8Array.from(packed);
  const { buffer, byteOffset } = bytes;
  const words = new Uint32Array(buffer, byteOffset, bytes.byteLength >> 2);
  const [length = 0, columnCount = 0] = words;

  let word = batchWords;
  const heads: (readonly number[])[] = [];
  for (let missing = columnCount; missing > 0; missing--) {
    const head = [...words.subarray(word, word + columnWords)];
    heads.push(head);
    missing += head[2] ?? 0;
    word += columnWords;
  }
  let at = aligned(word * 4);
  const place = (size: number): number => {
    const from = byteOffset + at;
    at += aligned(size);
    return from;
  };
  let next = 0;
  const column = (): ColumnData => {
    const [count = 0, nullCount = 0, childCount = 0, dataClass = 0, ...sizes] = heads[next++] ?? [];
    const [validity = absent, offsets = absent, data = absent] = sizes;
    return {
      length: count,
      nullCount,
      ...(validity !== absent && { validity: new Uint8Array(buffer, place(validity), validity) }),
      ...(offsets !== absent && { offsets: new Int32Array(buffer, place(offsets), offsets / 4) }),
      ...(data !== absent && { data: viewOf(classes[dataClass], buffer, place(data), data) }),
      ...(childCount > 0 && { children: Array.from({ length: childCount }, column) }),
    };
  };
  return { length, columns: Array.from({ length: columnCount }, column) };
}

function viewOf(
  View: (typeof classes)[number] = Uint8Array,
  buffer: ArrayBufferLike,
  from: number,
  bytes: number,
): FixedData {
  return new View(buffer as ArrayBuffer, from, bytes / View.BYTES_PER_ELEMENT);
}

/** Columns, each with its children after it. */
function withChildren(columns: readonly ColumnData[]): ColumnData[] {
  return columns.flatMap((column) => [column, ...withChildren(column.children ?? [])]);
}

function buffersOf({ validity, offsets, data }: ColumnData): readonly (FixedData | undefined)[] {
  return [validity, offsets, data];
}

function plusAligned(sum: number, buffer: FixedData | undefined): number {
  return sum + aligned(buffer?.byteLength ?? 0);
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / alignment) * alignment;
}
