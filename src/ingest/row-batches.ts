import type { RowBatch } from '../engines/duckdb/store/row-batch.ts';
import type { CheckedRow } from './checked-rows.ts';

/** Characters of text at which a batch is handed on: large enough for DuckDB to work evenly, small in memory. */
const batchLength = 4 * 1024 * 1024;

/** Gathers rows into batches for the store. */
export async function* rowBatches(checked: AsyncIterable<CheckedRow>): AsyncGenerator<RowBatch> {
  let rows: string[] = [];
  let length = 0;
  for await (const { encoded } of checked) {
    rows.push(encoded);
    length += encoded.length + 1;
    if (length >= batchLength) {
      yield { rows: rows.length, text: rows.join('\n') };
      rows = [];
      length = 0;
    }
  }
  if (rows.length > 0) yield { rows: rows.length, text: rows.join('\n') };
}
