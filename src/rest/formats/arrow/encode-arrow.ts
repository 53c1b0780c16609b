import { AsyncByteQueue, RecordBatchStreamWriter } from 'apache-arrow';
import type { ColumnBatch } from '../../../columns/column-batch.ts';
import type { Column } from '../../../sql/type.ts';
import { arrowSchema } from './arrow-type.ts';
import { recordBatches } from './record-batches.ts';

/** Hands over what the writer has written so far. The library's own queue has no back-pressure. */
class WrittenBytes extends AsyncByteQueue {
  #pieces: Uint8Array[] = [];

  override write(piece: Uint8Array): void {
    if (piece.byteLength > 0) this.#pieces.push(new Uint8Array(piece));
  }

  take(): Uint8Array {
    const bytes = Buffer.concat(this.#pieces);
    this.#pieces = [];
    return bytes;
  }
}

/** Rows as an Arrow IPC stream. */
export async function* encodeArrow(
  columns: readonly Column[],
  batches: AsyncIterable<ColumnBatch>,
): AsyncGenerator<Uint8Array> {
  const schema = arrowSchema(columns);
  const written = new WrittenBytes();
  const writer = new RecordBatchStreamWriter().reset(written, schema);
  for await (const batch of recordBatches(columns, schema, batches)) {
    writer.write(batch);
    yield written.take();
  }
  writer.finish();
  yield written.take();
}
