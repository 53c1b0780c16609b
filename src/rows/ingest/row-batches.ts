import type { ParsedRows, RowBatch } from '../../engines/duckdb/store/insert/row-batch.ts';

/** Maximum rows, or characters of text, of a batch: enough for DuckDB to work evenly, little in memory. */
const batchRows = 8192;
const batchLength = 4 * 1024 * 1024;

/** Collects rows into batches for the store. */
export async function* rowBatches(rowParts: AsyncIterable<ParsedRows>): AsyncGenerator<RowBatch> {
  let parts: ParsedRows[] = [];
  let rows = 0;
  let length = 0;
  for await (const part of rowParts) {
    parts.push(part);
    rows += part.rows;
    length += lengthOf(part);
    if (rows < batchRows && length < batchLength) continue;
    yield { rows, parts };
    parts = [];
    rows = 0;
    length = 0;
  }
  if (rows > 0) yield { rows, parts };
}

function lengthOf(part: ParsedRows): number {
  if ('text' in part) return part.text.length;
  return part.columns.reduce(
    (sum: number, values) => sum + (typeof values === 'string' ? values.length : 0),
    0,
  );
}
