import type { RowBatch, RowPart } from '../engines/duckdb/store/row-batch.ts';

/** Rows at which a batch is handed on: enough for DuckDB to work evenly, few in memory. */
const batchRows = 8192;

/** Gathers rows into batches for the store. */
export async function* rowBatches(rowParts: AsyncIterable<RowPart>): AsyncGenerator<RowBatch> {
  let parts: RowPart[] = [];
  let rows = 0;
  for await (const part of rowParts) {
    parts.push(part);
    rows += part.rows;
    if (rows < batchRows) continue;
    yield { rows, parts };
    parts = [];
    rows = 0;
  }
  if (rows > 0) yield { rows, parts };
}
