import type { ColumnBatch, ColumnData, FixedData } from './column-batch.ts';

const firstBytes = 4_096;

/** Joins batches with columns of the same types, in memory that it uses again and again. */
export class BatchJoiner {
  #length = 0;
  readonly #columns: ColumnJoiner[] = [];

  /** The number of rows that were added. */
  get length(): number {
    return this.#length;
  }

  /** The size of the rows that were added, in bytes. */
  get bytes(): number {
    return this.#columns.reduce((sum, column) => sum + column.bytes, 0);
  }

  add({ length, columns }: ColumnBatch): void {
    this.#length += length;
    for (const [index, column] of columns.entries()) {
      this.#columns[index] ??= new ColumnJoiner();
      this.#columns[index].add(column);
    }
  }

  /** Returns all rows as one batch, and starts again. The batch is valid until another one is added. */
  take(): ColumnBatch {
    const batch = { length: this.#length, columns: this.#columns.map((column) => column.take()) };
    this.#length = 0;
    return batch;
  }
}

class ColumnJoiner {
  #length = 0;
  #nullCount = 0;
  readonly #validity = new Bits();
  readonly #offsets = new Bytes();
  readonly #data = new Bytes();
  readonly #bits = new Bits();
  readonly #children: ColumnJoiner[] = [];
  /** The last column that was added, which has the form of all. */
  #last: ColumnData | undefined;

  get bytes(): number {
    const own = this.#offsets.length + this.#data.length + (this.#bits.length + this.#validity.length) / 8;
    return this.#children.reduce((sum, child) => sum + child.bytes, own);
  }

  add(column: ColumnData): void {
    const { length, nullCount, validity, offsets, data, children = [] } = column;
    this.#last = column;
    this.#validity.add(validity, length);
    if (offsets !== undefined) this.#addOffsets(offsets, length);
    // The data of a BOOL has a bit for each value; only texts have offsets beside bytes.
    if (offsets === undefined && data instanceof Uint8Array) this.#bits.add(data, length);
    else if (data !== undefined) this.#data.add(data);
    for (const [index, child] of children.entries()) {
      this.#children[index] ??= new ColumnJoiner();
      this.#children[index].add(child);
    }
    this.#length += length;
    this.#nullCount += nullCount;
  }

  take(): ColumnData {
    const { offsets, data } = this.#last ?? {};
    const column = {
      length: this.#length,
      nullCount: this.#nullCount,
      ...(this.#nullCount > 0 && { validity: this.#validity.take() }),
      ...(offsets && { offsets: this.#offsets.take(Int32Array) }),
      ...(data && { data: this.#takeData(offsets !== undefined, data) }),
      ...(this.#children.length > 0 && { children: this.#children.map((child) => child.take()) }),
    };
    this.#length = 0;
    this.#nullCount = 0;
    for (const part of [this.#validity, this.#offsets, this.#data, this.#bits]) part.length = 0;
    return column;
  }

  #takeData(isText: boolean, like: FixedData): FixedData {
    if (like instanceof BigInt64Array) return this.#data.take(BigInt64Array);
    if (like instanceof Float64Array) return this.#data.take(Float64Array);
    if (like instanceof Int32Array) return this.#data.take(Int32Array);
    if (like instanceof Uint32Array) return this.#data.take(Uint32Array);
    return isText ? this.#data.take(Uint8Array) : this.#bits.take();
  }

  #addOffsets(offsets: Int32Array, length: number): void {
    if (this.#length === 0) {
      // There is a first offset even without values.
      this.#offsets.length = 0;
      this.#offsets.add(offsets);
      return;
    }
    const all = this.#offsets.reserve(Int32Array, length);
    const from = this.#length + 1;
    const base = all[this.#length] ?? 0;
    for (let index = 0; index < length; index++) all[from + index] = base + (offsets[index + 1] ?? 0);
    this.#offsets.length += length * 4;
  }
}

type TypedArrayClass<View> = {
  new (buffer: ArrayBuffer, byteOffset: number, length: number): View;
  readonly BYTES_PER_ELEMENT: number;
};

/** Bytes in memory that grows. */
class Bytes {
  length = 0;
  #memory = new ArrayBuffer(firstBytes);

  add({ buffer, byteOffset, byteLength }: FixedData): void {
    this.#reserve(byteLength);
    new Uint8Array(this.#memory).set(new Uint8Array(buffer, byteOffset, byteLength), this.length);
    this.length += byteLength;
  }

  /** Makes room for more elements, and returns all. */
  reserve<View>(View: TypedArrayClass<View>, more: number): View {
    this.#reserve(more * View.BYTES_PER_ELEMENT);
    return new View(this.#memory, 0, this.#memory.byteLength / View.BYTES_PER_ELEMENT);
  }

  take<View>(View: TypedArrayClass<View>): View {
    return new View(this.#memory, 0, this.length / View.BYTES_PER_ELEMENT);
  }

  #reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.#memory.byteLength) return;
    let capacity = this.#memory.byteLength;
    while (capacity < needed) capacity *= 2;
    const grown = new ArrayBuffer(capacity);
    new Uint8Array(grown).set(new Uint8Array(this.#memory, 0, this.length));
    this.#memory = grown;
  }
}

/** Bits, the lowest of each byte first. */
class Bits {
  length = 0;
  readonly #bytes = new Bytes();

  /** @param bits all are set if absent */
  add(bits: Uint8Array | undefined, count: number): void {
    this.#bytes.length = (this.length + 7) >> 3;
    const all = this.#bytes.reserve(Uint8Array, (count >> 3) + 1);
    let index = 0;
    // Whole bytes, where they begin at a byte.
    if ((this.length & 7) === 0) {
      const to = this.length >> 3;
      const whole = count >> 3;
      if (bits === undefined) all.fill(0xff, to, to + whole);
      else all.set(bits.subarray(0, whole), to);
      index = whole * 8;
    }
    for (; index < count; index++) {
      const at = this.length + index;
      const bit = 1 << (at & 7);
      const isSet = bits === undefined || ((bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
      // The memory was used before.
      all[at >> 3] = isSet ? (all[at >> 3] ?? 0) | bit : (all[at >> 3] ?? 0) & ~bit;
    }
    this.length += count;
  }

  take(): Uint8Array {
    this.#bytes.length = (this.length + 7) >> 3;
    return this.#bytes.take(Uint8Array);
  }
}
