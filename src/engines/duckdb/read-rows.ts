import { type DuckDBDataChunk, DuckDBListVector, type DuckDBValue } from '@duckdb/node-api';
import type { Row } from '../../sql/value.ts';
import { sizeOf } from '../../sql/value-size.ts';
import { Turn } from '../../turn.ts';
import { answerTooLarge, maxAnswerBytes, maxRowValues, rowTooLarge } from '../result-size.ts';
import { type MemoryGuard, memoryExceeded } from './memory-guard.ts';
import { ResourcesExceeded } from './resources-exceeded.ts';

/** Takes the rows of a result as DuckDB hands them over, until they are more than an answer may hold. */
export class RowReader {
  readonly rows: Row[] = [];
  readonly #decode: (row: readonly DuckDBValue[]) => Row;
  readonly #memory: MemoryGuard;
  readonly #arrays: readonly number[];
  #bytes = 0;
  #asked = 0;

  /** @param arrays the columns whose elements count, where they are arrays */
  constructor(decode: (row: readonly DuckDBValue[]) => Row, memory: MemoryGuard, arrays: readonly number[]) {
    this.#decode = decode;
    this.#arrays = arrays;
    this.#memory = memory;
  }

  /** How much the rows are, as `sizeOf` measures it. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @throws GatewayError QUERY_FAILED when a row, or all of them, are too large, or there is no memory for an answer of them */
  async take(chunk: DuckDBDataChunk): Promise<void> {
    const turn = new Turn();
    for (let row = 0; row < chunk.rowCount; row++) {
      if (countElements(chunk, row, this.#arrays) > maxRowValues) throw rowTooLarge();
      const values = this.#decode(chunk.getRowValues(row));
      this.#bytes += sizeOf(values);
      if (this.#bytes > maxAnswerBytes) throw answerTooLarge();
      this.rows.push(values);
      this.#askForRoom();
      if (turn.isOver) await turn.next();
    }
  }

  #askForRoom(): void {
    if (this.#bytes - this.#asked < stepBytes) return;
    this.#asked = this.#bytes;
    if (!this.#memory.hasRoomForAnswer(this.#bytes)) throw new ResourcesExceeded(memoryExceeded);
  }
}

/** Whether there is room is asked again after so many bytes. */
const stepBytes = 2_000_000;

/** The elements of a row's arrays, but of those within other values. */
function countElements(chunk: DuckDBDataChunk, row: number, arrays: readonly number[]): number {
  let count = 0;
  for (const column of arrays) {
    const vector = chunk.getColumnVector(column);
    // The length of an array that is NULL is anything.
    if (vector instanceof DuckDBListVector) count += vector.getItemVector(row)?.itemCount ?? 0;
  }
  return count;
}
