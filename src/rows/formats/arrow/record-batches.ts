import { BufferType, Data, makeData, RecordBatch, type Schema, Struct } from 'apache-arrow';
import { BatchJoiner } from '../../../sql/columns/batch-joiner.ts';
import type { ColumnBatch, ColumnData } from '../../../sql/columns/column-batch.ts';
import { columnsOfRows } from '../../../sql/columns/columns-of-rows.ts';
import { typeAt } from '../../../sql/columns/rows-of-columns.ts';
import type { Column, SqlType } from '../../../sql/values/type.ts';
import { arrowType } from './arrow-type.ts';

/** Readers, and the writer of Parquet, take some time for each batch. */
const least = { rows: 8_192, bytes: 2_000_000 };

/** Arrow's batches of rows. There is at least one, which may be empty. Each is valid until the next is asked for. */
export async function* recordBatches(
  columns: readonly Column[],
  schema: Schema,
  batches: AsyncIterable<ColumnBatch>,
): AsyncGenerator<RecordBatch> {
  const joiner = new BatchJoiner();
  let isFirst = true;
  for await (const batch of batches) {
    joiner.add(batch);
    if (joiner.length < least.rows && joiner.bytes < least.bytes) continue;
    yield recordBatch(columns, schema, joiner.take());
    isFirst = false;
  }
  if (isFirst) joiner.add(columnsOfRows(columns, []));
  if (isFirst || joiner.length > 0) yield recordBatch(columns, schema, joiner.take());
}

function recordBatch(columns: readonly Column[], schema: Schema, batch: ColumnBatch): RecordBatch {
  const children = batch.columns.map((column, index) => dataOf(typeAt(columns, index), column));
  const type = new Struct(schema.fields);
  return new RecordBatch(schema, makeData({ type, length: batch.length, nullCount: 0, children }));
}

function dataOf(
  type: SqlType,
  { length, nullCount, validity, offsets, data, children = [] }: ColumnData,
): Data {
  const buffers = {
    ...(validity && { [BufferType.VALIDITY]: validity }),
    ...(offsets && { [BufferType.OFFSET]: offsets }),
    ...(data && { [BufferType.DATA]: data }),
  };
  const fields = children.map((child, index) => dataOf(childType(type, index), child));
  return new Data(arrowType(type), 0, length, nullCount, buffers, fields);
}

function childType(type: SqlType, index: number): SqlType {
  return type.kind === 'ARRAY' ? type.element : typeAt(type.kind === 'STRUCT' ? type.fields : [], index);
}
