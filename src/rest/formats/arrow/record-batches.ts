import { makeData, RecordBatch, type Schema, Struct } from 'apache-arrow';
import type { Column } from '../../../sql/type.ts';
import type { Row } from '../../../sql/value.ts';
import { columnData } from './column-data.ts';

/** A batch with this many rows takes about ten milliseconds. */
const maxRows = 8_192;
/** Chunks of rows have about 100 kB. */
const maxChunks = 16;

/** Arrow's batches of rows. There is at least one, which may be empty. */
export async function* recordBatches(
  columns: readonly Column[],
  schema: Schema,
  rows: AsyncIterable<readonly Row[]>,
): AsyncGenerator<RecordBatch> {
  let waiting: Row[] = [];
  let chunks = 0;
  let isFirst = true;
  for await (const some of rows) {
    for (const row of some) waiting.push(row);
    chunks++;
    if (waiting.length < maxRows && chunks < maxChunks) continue;
    yield recordBatch(columns, schema, waiting);
    waiting = [];
    chunks = 0;
    isFirst = false;
  }
  if (isFirst || waiting.length > 0) yield recordBatch(columns, schema, waiting);
}

function recordBatch(columns: readonly Column[], schema: Schema, rows: readonly Row[]): RecordBatch {
  const children = columns.map(({ type }, index) =>
    columnData(
      type,
      rows.map((row) => row[index] ?? null),
    ),
  );
  const type = new Struct(schema.fields);
  return new RecordBatch(schema, makeData({ type, length: rows.length, nullCount: 0, children }));
}
