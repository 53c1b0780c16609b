import { ReadableStream as NodeStream } from 'node:stream/web';
import * as parquet from 'parquet-wasm';
import type { ColumnBatch } from '../../../sql/columns/column-batch.ts';
import type { Column } from '../../../sql/values/type.ts';
import { arrowSchema } from './arrow-type.ts';
import { ipcStreams } from './ipc-writer.ts';
import { recordBatches } from './record-batches.ts';

/** A row group stays in memory until it is complete, and is one piece. V8 collects all garbage for a larger one (measured). */
const group = { bytes: 4_000_000, rows: 100_000 };
/** Columns with more different values than fit are not worth the search for them, which takes half the time (measured). */
const maxDictionaryBytes = 65_536;

/** Rows as a Parquet file. */
export async function* encodeParquet(
  columns: readonly Column[],
  batches: AsyncIterable<ColumnBatch>,
): AsyncGenerator<Uint8Array> {
  const schema = arrowSchema(columns);
  const streamOf = ipcStreams(schema);
  const properties = new parquet.WriterPropertiesBuilder()
    .setCompression(parquet.Compression.SNAPPY)
    .setMaxRowGroupSize(group.rows)
    .setMaxRowGroupBytes(group.bytes)
    .setDictionaryPageSizeLimit(maxDictionaryBytes)
    .setCreatedBy('endpoint-gateway')
    .build();

  // The writer can't fail half-way: its source ends, and the failure is thrown after what it has written.
  let failure: { readonly error: unknown } | undefined = undefined as { readonly error: unknown } | undefined;
  let hasLeft = false;
  async function* source() {
    try {
      for await (const batch of recordBatches(columns, schema, batches)) {
        if (hasLeft) return;
        yield* inWriter(streamOf(batch));
      }
    } catch (error) {
      failure = { error };
    }
  }
  try {
    // Node's type and the browsers' describe the same streams.
    const stream = NodeStream.from(source()) as unknown as ReadableStream;
    for await (const piece of await parquet.transformParquetStream(stream, properties)) {
      if (failure !== undefined) break;
      yield piece;
      // Frees its memory now: V8 would collect all garbage because of it (measured).
      piece.buffer.transfer(0);
    }
  } catch (error) {
    // Without a first batch, the writer fails, too.
    throw failure === undefined ? error : failure.error;
  } finally {
    hasLeft = true;
  }
  if (failure !== undefined) throw failure.error;
}

/** The batches in the writer's own memory, which nothing else would free. */
function* inWriter(ipc: Uint8Array): Generator<parquet.RecordBatch> {
  const table = parquet.Table.fromIPCStream(ipc);
  const batches = table.recordBatches();
  table.free();
  yield* batches;
}
