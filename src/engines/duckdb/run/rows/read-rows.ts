import { type DuckDBDataChunk, DuckDBListVector, type DuckDBValue } from '@duckdb/node-api';
import { TimeSlice } from '../../../../base/async/time-slice.ts';
import type { Row, Value } from '../../../../sql/values/value.ts';
import { sizeOf } from '../../../../sql/values/value-size.ts';
import type { TakeRows } from '../../../engine/engine.ts';
import { answerTooLarge, maxAnswerBytes, maxRowValues, rowTooLarge } from '../../../engine/result-size.ts';
import type { EmittedQuery, LateQuery } from '../../emit/emitter/context.ts';
import { rowDecoder } from './decode.ts';
import { lateDecoder } from './decode-late.ts';

/**
 * Runs SQL and hands out its rows.
 *
 * @param isSmall whether the result is so small that it may be read as a whole
 */
export type Execute = (
  sql: string,
  take: (chunk: DuckDBDataChunk) => void | Promise<void>,
  isSmall?: boolean,
) => Promise<void>;

/**
 * Reads and streams the rows of a query. If there are late columns, they are read first: rows are incomplete without
 * them.
 *
 * @param execute runs SQL, always over the same rows of the tables
 * @throws GatewayError QUERY_FAILED as {@link RowReader.take} does; errors of `take`
 */
export async function readRows(
  query: EmittedQuery,
  execute: Execute,
  reader: RowReader,
  take: TakeRows,
): Promise<void> {
  const decode = rowDecoder(query.columns);
  const arrays = [...query.columns.keys()];
  if (query.late.length === 0) {
    return execute(query.sql, async (chunk) => take(await reader.take(chunk, arrays, decode)), query.isSmall);
  }
  const rows: Value[][] = [];
  const found = query.late.map((late) => ({ late, keys: [] as bigint[], rows: [] as Value[][] }));
  const add = (columns: readonly DuckDBValue[]) => {
    const row = [...decode(columns)];
    rows.push(row);
    for (const { late, keys, rows } of found) {
      const key = columns[late.key];
      if (typeof key !== 'bigint') continue;
      keys.push(key);
      rows.push(row);
    }
    return row;
  };
  await execute(query.sql, async (chunk) => void (await reader.take(chunk, arrays, add)), query.isSmall);
  for (const { late, keys, rows } of found) {
    if (keys.length > 0) await readLate(late, keys, { rows, columns: query.columns }, execute, reader);
  }
  await take(rows);
}

async function readLate(
  { values, sqlFor }: LateQuery,
  keys: readonly bigint[],
  { rows, columns }: Pick<EmittedQuery, 'columns'> & { readonly rows: readonly Value[][] },
  execute: Execute,
  reader: RowReader,
): Promise<void> {
  const { decode, arrays } = lateDecoder(columns, values);
  const positions = [...values.keys()];
  const rowsOf = Map.groupBy(rows, (_, i) => keys[i]);
  let count = 0;
  const complete = (read: readonly DuckDBValue[]) => {
    const [key] = read;
    const ofKey = typeof key === 'bigint' ? (rowsOf.get(key) ?? []) : [];
    // Rows of one key share its values, but each is answered with them.
    return ofKey.flatMap((row) => {
      const late = decode(read);
      for (const [i, position] of positions.entries()) row[position] = late[i] ?? null;
      count++;
      return late;
    });
  };
  await execute(sqlFor(keys), async (chunk) => void (await reader.take(chunk, arrays, complete)));
  if (count !== keys.length) throw new TypeError('A late query gave fewer rows than it has keys');
}

/** Receives values from DuckDB. */
export class RowReader {
  readonly #maxBytes: number;
  #bytes = 0;

  /** @param maxBytes the maximum size of all values */
  constructor(maxBytes: number = maxAnswerBytes) {
    this.#maxBytes = maxBytes;
  }

  /** The size of the values, as `sizeOf` measures it. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * @param arrays the columns whose elements count, if they are arrays
   * @param make makes the values of a row, whose size counts
   * @returns all values that it made
   * @throws GatewayError QUERY_FAILED when a row, or all rows together, are too large
   */
  async take(
    chunk: DuckDBDataChunk,
    arrays: readonly number[],
    make: (row: readonly DuckDBValue[]) => Row,
  ): Promise<Row[]> {
    const slice = new TimeSlice();
    const made: Row[] = [];
    for (let row = 0; row < chunk.rowCount; row++) {
      if (countElements(chunk, row, arrays) > maxRowValues) throw rowTooLarge();
      const values = make(chunk.getRowValues(row));
      this.#bytes += sizeOf(values);
      if (this.#bytes > this.#maxBytes) throw answerTooLarge();
      made.push(values);
      if (slice.isOver) await slice.yield();
    }
    return made;
  }
}

/** The number of elements in a row's arrays, without those nested in other values. */
function countElements(chunk: DuckDBDataChunk, row: number, arrays: readonly number[]): number {
  let count = 0;
  for (const column of arrays) {
    const vector = chunk.getColumnVector(column);
    // The stored length of a NULL array is undefined.
    if (vector instanceof DuckDBListVector) count += vector.getItemVector(row)?.itemCount ?? 0;
  }
  return count;
}
