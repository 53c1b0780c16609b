import type { ColumnBatch } from '../../../sql/columns/column-batch.ts';
import type { Column } from '../../../sql/values/type.ts';
import { arrowSchema } from './arrow-type.ts';
import { IpcWriter } from './ipc-writer.ts';
import { recordBatches } from './record-batches.ts';

/** Rows as an Arrow IPC stream. */
export async function* encodeArrow(
  columns: readonly Column[],
  batches: AsyncIterable<ColumnBatch>,
): AsyncGenerator<Uint8Array> {
  const schema = arrowSchema(columns);
  const writer = new IpcWriter(schema);
  for await (const batch of recordBatches(columns, schema, batches)) yield writer.write(batch);
  yield writer.end();
}
