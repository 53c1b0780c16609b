import { TimeSlice } from '../../base/async/time-slice.ts';
import { ownMemory } from '../../base/system/own-memory.ts';
import type { Row } from '../../sql/values/value.ts';
import { inChunks, sizeOfRows } from './in-chunks.ts';
import { packChunk, unpackChunks } from './packed-chunk.ts';

/** The rows of a result. */
export interface ResultRows {
  readonly count: number;
  /** Their size in bytes: packed, if they came packed, else an estimate. */
  readonly bytes: number;
  /** All rows in chunks that take about a millisecond each. The event loop gets turns in between. */
  chunks(): AsyncIterable<readonly Row[]>;
  /** All rows at once. Deserialised once and shared. */
  all(): Promise<readonly Row[]>;
  /** All rows packed for storing: concatenated chunks from `packChunk`. */
  packed(): Promise<Buffer>;
}

/** Rows from an array. */
export function rowsInMemory(rows: readonly Row[]): ResultRows {
  return new RowsInMemory(rows);
}

/**
 * Rows from packed chunks, which are unpacked on demand.
 *
 * @param pieces contain one or several whole chunks
 * @param count the number of rows in them
 */
export function packedRows(pieces: readonly Buffer[], count: number): ResultRows {
  return new PackedRows(pieces, count);
}

/** The first rows of others. */
export function firstRows(rows: ResultRows, count: number): ResultRows {
  return count < rows.count ? new FirstRows(rows, count) : rows;
}

class FirstRows implements ResultRows {
  readonly count: number;
  readonly #rows: ResultRows;

  constructor(rows: ResultRows, count: number) {
    this.#rows = rows;
    this.count = count;
  }

  get bytes(): number {
    return this.#rows.bytes;
  }

  async *chunks(): AsyncIterable<readonly Row[]> {
    let left = this.count;
    if (left === 0) return;
    for await (const chunk of this.#rows.chunks()) {
      yield chunk.length > left ? chunk.slice(0, left) : chunk;
      left -= chunk.length;
      if (left <= 0) return;
    }
  }

  async all(): Promise<readonly Row[]> {
    return (await this.#rows.all()).slice(0, this.count);
  }

  async packed(): Promise<Buffer> {
    const packed: Buffer[] = [];
    for await (const chunk of this.chunks()) packed.push(packChunk(chunk, 'zstd'));
    return joined(packed);
  }
}

class RowsInMemory implements ResultRows {
  readonly #rows: readonly Row[];
  #bytes: number | undefined;

  constructor(rows: readonly Row[]) {
    this.#rows = rows;
  }

  get count(): number {
    return this.#rows.length;
  }

  get bytes(): number {
    this.#bytes ??= sizeOfRows(this.#rows);
    return this.#bytes;
  }

  chunks(): AsyncIterable<readonly Row[]> {
    return inTurns(inChunks(this.#rows, this.bytes));
  }

  async all(): Promise<readonly Row[]> {
    return this.#rows;
  }

  async packed(): Promise<Buffer> {
    const packed: Buffer[] = [];
    for await (const chunk of this.chunks()) packed.push(packChunk(chunk, 'zstd'));
    return joined(packed);
  }
}

class PackedRows implements ResultRows {
  readonly count: number;
  readonly #pieces: readonly Buffer[];
  #all: Promise<readonly Row[]> | undefined;

  constructor(pieces: readonly Buffer[], count: number) {
    this.count = count;
    this.#pieces = pieces;
  }

  get bytes(): number {
    return this.#pieces.reduce((sum, { length }) => sum + length, 0);
  }

  chunks(): AsyncIterable<readonly Row[]> {
    return inTurns(unpackChunks(this.#pieces));
  }

  all(): Promise<readonly Row[]> {
    this.#all ??= gathered(this.chunks());
    return this.#all;
  }

  async packed(): Promise<Buffer> {
    return joined(this.#pieces);
  }
}

async function* inTurns<Part>(parts: Iterable<Part>): AsyncGenerator<Part> {
  const slice = new TimeSlice();
  for (const part of parts) {
    yield part;
    if (slice.isOver) await slice.yield();
  }
}

async function gathered(chunks: AsyncIterable<readonly Row[]>): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const chunk of chunks) for (const row of chunk) rows.push(row);
  return rows;
}

function joined(pieces: readonly Buffer[]): Buffer {
  return ownMemory(Buffer.concat(pieces));
}
