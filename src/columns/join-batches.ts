import { batchBytes, type ColumnBatch, type ColumnData, type FixedData, isPresent } from './column-batch.ts';

/** The batches as one, with copies of their data. All must have columns of the same types. */
export function joinBatches(batches: readonly ColumnBatch[]): ColumnBatch {
  const [first] = batches;
  if (first !== undefined && batches.length === 1) return first;
  return {
    length: sum(batches.map(({ length }) => length)),
    columns: (first?.columns ?? []).map((_, index) =>
      joinColumns(batches.flatMap(({ columns }) => columns[index] ?? [])),
    ),
  };
}

/**
 * Joins batches until they have this many rows or bytes. There is at least one, unless there are no batches.
 *
 * @throws the errors of `batches`
 */
export async function* inLargeBatches(
  batches: AsyncIterable<ColumnBatch>,
  least: { readonly rows: number; readonly bytes: number },
): AsyncGenerator<ColumnBatch> {
  let waiting: ColumnBatch[] = [];
  let rows = 0;
  let bytes = 0;
  for await (const batch of batches) {
    waiting.push(batch);
    rows += batch.length;
    bytes += batchBytes(batch);
    if (rows < least.rows && bytes < least.bytes) continue;
    yield joinBatches(waiting);
    waiting = [];
    [rows, bytes] = [0, 0];
  }
  if (waiting.length > 0) yield joinBatches(waiting);
}

function joinColumns(parts: readonly ColumnData[]): ColumnData {
  const [first] = parts;
  const length = sum(parts.map((part) => part.length));
  const nullCount = sum(parts.map((part) => part.nullCount));
  return {
    length,
    nullCount,
    ...(nullCount > 0 && { validity: joinBits(parts, length, isPresent) }),
    ...(first?.offsets && { offsets: joinOffsets(parts, length) }),
    ...(first?.data && { data: joinData(parts, length) }),
    ...(first?.children && {
      children: first.children.map((_, index) =>
        joinColumns(parts.flatMap(({ children }) => children?.[index] ?? [])),
      ),
    }),
  };
}

function joinOffsets(parts: readonly ColumnData[], length: number): Int32Array {
  const joined = new Int32Array(length + 1);
  let at = 1;
  let base = 0;
  for (const part of parts) {
    const { offsets = new Int32Array(1) } = part;
    for (let index = 1; index <= part.length; index++) joined[at++] = base + (offsets[index] ?? 0);
    base = joined[at - 1] ?? 0;
  }
  return joined;
}

function joinData(parts: readonly ColumnData[], length: number): FixedData {
  // The data of a BOOL has a bit for each value; only texts have offsets beside bytes.
  if (parts.every(({ offsets, data }) => offsets === undefined && data instanceof Uint8Array))
    return joinBits(parts, length, ({ data }, index) => bitAt(data, index));
  const all = parts.flatMap(({ data }) => data ?? []);
  const [first] = all;
  const joined = new (classOf(first))(sum(all.map((data) => data.length)));
  let at = 0;
  for (const data of all) {
    // All are of the same class.
    (joined as Uint8Array).set(data as Uint8Array, at);
    at += data.length;
  }
  return joined;
}

function classOf(data: FixedData | undefined) {
  if (data instanceof BigInt64Array) return BigInt64Array;
  if (data instanceof Float64Array) return Float64Array;
  if (data instanceof Int32Array) return Int32Array;
  return data instanceof Uint32Array ? Uint32Array : Uint8Array;
}

function bitAt(data: FixedData | undefined, index: number): boolean {
  return data instanceof Uint8Array && ((data[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
}

function joinBits(
  parts: readonly ColumnData[],
  length: number,
  isSet: (part: ColumnData, index: number) => boolean,
): Uint8Array {
  const joined = new Uint8Array((length + 7) >> 3);
  let at = 0;
  for (const part of parts) {
    for (let index = 0; index < part.length; index++, at++) {
      if (isSet(part, index)) joined[at >> 3] = (joined[at >> 3] ?? 0) | (1 << (at & 7));
    }
  }
  return joined;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
