import { TimeSlice } from '../../../../base/async/time-slice.ts';
import { batchBytes } from '../../../../sql/columns/column-batch.ts';
import { columnsOfRows } from '../../../../sql/columns/columns-of-rows.ts';
import type { TakeColumns } from '../../../engine/engine.ts';
import { inChunks } from '../../../rows/in-chunks.ts';
import type { EmittedQuery } from '../../emit/emitter/context.ts';
import { refuseNullElements, refuseNullElementsIn } from '../rows/null-elements.ts';
import { type Execute, RowReader, readRows } from '../rows/read-rows.ts';
import { chunkBatches } from './chunk-batches.ts';

interface ReadColumnsOptions {
  readonly maxRows: number;
  /** Called with the size of the rows that were copied from DuckDB's memory, in bytes. */
  readonly onCopied: (bytes: number) => void;
}

/**
 * Reads and streams the rows of a query as columns. Late columns are read as rows, of which there are few.
 *
 * @param execute runs SQL, always over the same rows of the tables
 * @returns whether there were more rows than wanted
 * @throws GatewayError QUERY_FAILED when a row has too many values, or a NULL in an array; errors of `take`
 */
export async function readColumns(
  query: EmittedQuery,
  execute: Execute,
  { maxRows, onCopied }: ReadColumnsOptions,
  take: TakeColumns,
): Promise<boolean> {
  const { columns } = query;
  let count = 0;
  if (query.late.length > 0) {
    const reader = new RowReader(Number.POSITIVE_INFINITY);
    await readRows(query, execute, reader, async (rows) => {
      count += rows.length;
      refuseNullElements(columns, rows);
      for (const some of inChunks(rows.slice(0, maxRows))) await take(columnsOfRows(columns, some));
    });
    onCopied(reader.bytes);
    return count > maxRows;
  }
  await execute(query.sql, async (chunk) => {
    const slice = new TimeSlice();
    const wanted = Math.min(chunk.rowCount, Math.max(0, maxRows - count));
    count += chunk.rowCount;
    if (wanted === 0) return;
    for (const batch of chunkBatches(columns, chunk, wanted)) {
      refuseNullElementsIn(columns, batch);
      onCopied(batchBytes(batch));
      await take(batch);
      if (slice.isOver) await slice.yield();
    }
  });
  return count > maxRows;
}
