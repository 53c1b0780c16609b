import type { RowBatch, RowPart } from '../engines/duckdb/store/row-batch.ts';
import { rowParts, type SortedChunk } from './sorted-out.ts';

/** Rows at which a batch is handed on: enough for DuckDB to work evenly, few in memory. */
const batchRows = 8192;

/** Gathers the rows of chunks into batches for the store. */
export async function* rowBatches(chunks: AsyncIterable<SortedChunk>): AsyncGenerator<RowBatch> {
  let parts: RowPart[] = [];
  let rows = 0;
  for await (const chunk of chunks) {
    for (const part of rowParts(chunk)) {
      parts.push(part);
      rows += part.rows;
    }
    if (rows < batchRows) continue;
    yield { rows, parts };
    parts = [];
    rows = 0;
  }
  if (rows > 0) yield { rows, parts };
}
