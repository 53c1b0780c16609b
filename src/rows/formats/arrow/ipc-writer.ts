import { AsyncByteQueue, type RecordBatch, RecordBatchStreamWriter, type Schema } from 'apache-arrow';
import { ByteWriter } from '../text/byte-writer.ts';

/** Keeps what the library writes in memory that is used again. The library's own queue has no back-pressure. */
class WrittenBytes extends AsyncByteQueue {
  readonly out = new ByteWriter();

  override write(piece: Uint8Array): void {
    this.out.append(piece);
  }
}

/** Writes Arrow's IPC stream. What its methods return is valid until the next call. */
export class IpcWriter {
  readonly #written = new WrittenBytes();
  readonly #writer: RecordBatchStreamWriter;

  constructor(schema: Schema) {
    this.#writer = new RecordBatchStreamWriter().reset(this.#written, schema);
  }

  /** The bytes of a batch; before the first one, also those of the schema. */
  write(batch: RecordBatch): Uint8Array {
    this.#writer.write(batch);
    return this.#written.out.take();
  }

  /** The end of the stream. */
  end(): Uint8Array {
    this.#writer.finish();
    return this.#written.out.take();
  }
}

/** Returns a function that writes a batch as a stream of its own, which is valid until the next call. */
export function ipcStreams(schema: Schema): (batch: RecordBatch) => Uint8Array {
  const written = new WrittenBytes();
  return (batch) => {
    const writer = new RecordBatchStreamWriter().reset(written, schema);
    writer.write(batch);
    writer.finish();
    return written.out.take();
  };
}
