import type { DuckDBDataChunk } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import type { ColumnBatch, ColumnData } from '../../../../sql/columns/column-batch.ts';
import { columnOfValues } from '../../../../sql/columns/columns-of-rows.ts';
import { typeAt } from '../../../../sql/columns/rows-of-columns.ts';
import type { Column, SqlType } from '../../../../sql/values/type.ts';
import { maxRowValues, rowTooLarge } from '../../../engine/result-size.ts';
import { decoderOf } from '../rows/decode.ts';
import { listEntries, vectorColumn } from './vector-column.ts';
import { textsLength } from './vector-texts.ts';

const { Type } = duckdb;

/** The maximum size of a batch with several rows, in bytes. It is read in some milliseconds. */
const maxBatchBytes = 1_000_000;

/**
 * The first rows of a chunk, in one batch, or in several if they are large.
 *
 * @throws GatewayError QUERY_FAILED when a row has too many values
 */
export function* chunkBatches(
  columns: readonly Column[],
  chunk: DuckDBDataChunk,
  rowCount: number,
): Generator<ColumnBatch> {
  const vectors = columns.map((_, index) => duckdb.data_chunk_get_vector(chunk.chunk, index));
  refuseLargeRows(vectors, rowCount);
  const ranges: { readonly start: number; readonly count: number }[] = [{ start: 0, count: rowCount }];
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    const { start, count } = range;
    const bytes = vectors.reduce((sum, vector) => sum + vectorBytes(vector, start, count), 0);
    if (count > 1 && bytes > maxBatchBytes) {
      const half = count >> 1;
      ranges.push({ start: start + half, count: count - half }, { start, count: half });
      continue;
    }
    yield {
      length: count,
      columns: vectors.map((vector, index) => {
        const type = typeAt(columns, index);
        return vectorColumn(type, { vector, start, count }) ?? decodedColumn(type, chunk, index, range);
      }),
    };
  }
}

/** Values that are decoded one by one, as in a result of rows. */
function decodedColumn(
  type: SqlType,
  chunk: DuckDBDataChunk,
  index: number,
  { start, count }: { readonly start: number; readonly count: number },
): ColumnData {
  const decode = decoderOf(type);
  const vector = chunk.getColumnVector(index);
  const values = Array.from({ length: count }, (_, row) => decode(vector.getItem(start + row)));
  return columnOfValues(type, values);
}

/** Counts the elements of a row's arrays, without those nested in other values. */
function refuseLargeRows(vectors: readonly duckdb.Vector[], rowCount: number): void {
  const lists = vectors.filter((vector) => typeOf(vector) === Type.LIST);
  // In chunks without large lists, no row is large.
  const sizes = lists.map((vector) => duckdb.list_vector_get_size(vector));
  if (sizes.every((size) => size <= maxRowValues / lists.length)) return;
  const entries = lists.map((vector) => ({
    at: listEntries(vector, rowCount),
    has: presence(vector, rowCount),
  }));
  for (let row = 0; row < rowCount; row++) {
    const count = entries.reduce((sum, { at, has }) => sum + (has(row) ? at(row).length : 0), 0);
    if (count > maxRowValues) throw rowTooLarge();
  }
}

/** The approximate size of some values, in bytes. */
function vectorBytes(vector: duckdb.Vector, start: number, count: number): number {
  switch (typeOf(vector)) {
    case Type.VARCHAR:
    case Type.BLOB:
    case Type.BIGNUM:
      return 4 * count + textsLength(vector, start, count, presence(vector, start + count));
    case Type.LIST: {
      const at = listEntries(vector, start + count);
      const has = presence(vector, start + count);
      let [from, to, elements] = [Number.POSITIVE_INFINITY, 0, 0];
      for (let row = start; row < start + count; row++) {
        const { offset, length } = at(row);
        if (length === 0 || !has(row)) continue;
        from = Math.min(from, offset);
        to = Math.max(to, offset + length);
        elements += length;
      }
      if (elements === 0) return 4 * count;
      const spanned = vectorBytes(duckdb.list_vector_get_child(vector), from, to - from);
      // Lists can leave elements out, or share them.
      return 4 * count + spanned * (elements / (to - from));
    }
    case Type.STRUCT: {
      const fields = duckdb.struct_type_child_count(duckdb.vector_get_column_type(vector));
      let bytes = 0;
      for (let index = 0; index < fields; index++)
        bytes += vectorBytes(duckdb.struct_vector_get_child(vector, index), start, count);
      return bytes;
    }
    default:
      return 8 * count;
  }
}

function typeOf(vector: duckdb.Vector): duckdb.Type {
  return duckdb.get_type_id(duckdb.vector_get_column_type(vector));
}

/** Returns whether the value at an index isn't NULL. */
function presence(vector: duckdb.Vector, count: number): (index: number) => boolean {
  const bits: Uint8Array | null = duckdb.vector_get_validity(vector, Math.ceil(count / 64) * 8);
  if (bits === null) return () => true;
  return (index) => ((bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
}
