import { type FileHandle, open } from 'node:fs/promises';
import { zstdDecompressSync } from 'node:zlib';
import {
  CompressionType,
  compressionRegistry,
  type RecordBatch,
  RecordBatchReader,
  type Schema,
} from 'apache-arrow';
import { GatewayError } from '../../../base/errors/errors.ts';
import type { SourceColumn } from '../../../definitions/sources/source.ts';
import type { Line } from '../body/lines.ts';
import { RowValidationError } from '../encode/row-validation-error.ts';
import { arrowRecord, type Cuts } from './arrow-value.ts';
import { lz4Frame } from './lz4-frame.ts';

/** An Arrow file or stream. */
export interface ArrowFile {
  readonly schema: Schema;
  /** The rows, once, in the form of NDJSON lines, for columns of a source. */
  lines(columns: readonly SourceColumn[]): AsyncGenerator<Line>;
  /** Whether a time of the rows that were read was cut to microseconds. */
  readonly hasFinerTimes: boolean;
  close(): Promise<void>;
}

let knowsCompression = false;

/** What pandas and R write by default, and the other one of the two that the format has. */
function registerCompression(): void {
  if (knowsCompression) return;
  compressionRegistry.set(CompressionType.LZ4_FRAME, { decode: lz4Frame });
  compressionRegistry.set(CompressionType.ZSTD, {
    decode: (bytes) => new Uint8Array(zstdDecompressSync(bytes)),
  });
  knowsCompression = true;
}

/**
 * Opens an Arrow file, which is Feather's second version, or a stream.
 *
 * @param source a path, or the bytes of a stream
 * @throws GatewayError BAD_USER_INPUT, here or with the rows, when it can't be read as Arrow
 */
export async function openArrow(source: string | AsyncIterable<Uint8Array>): Promise<ArrowFile> {
  registerCompression();
  const handle = typeof source === 'string' ? await open(source) : undefined;
  const close = async () => handle?.close().catch(() => undefined);
  try {
    const reader = await readable(() => openReader(handle ?? (source as AsyncIterable<Uint8Array>)));
    return arrowFileOf(reader.schema, reader, close);
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * An Arrow file of batches that are read as they are needed.
 *
 * @param format in the text of errors
 */
export function arrowFileOf(
  schema: Schema,
  source: AsyncIterable<RecordBatch>,
  close: () => Promise<void>,
  format = 'Arrow',
): ArrowFile {
  const cuts = { isFound: false };
  return {
    get hasFinerTimes() {
      return cuts.isFound;
    },
    schema,
    async *lines(columns) {
      let number = 0;
      const batches = source[Symbol.asyncIterator]();
      for (;;) {
        const next = await readable(() => batches.next(), format);
        if (next.done === true) return;
        for (let index = 0; index < next.value.numRows; index++) {
          number += 1;
          yield lineOf(next.value, index, number, { columns, cuts });
        }
      }
    },
    close,
  };
}

async function openReader(source: FileHandle | AsyncIterable<Uint8Array>) {
  const reader = await RecordBatchReader.from(source as AsyncIterable<Uint8Array>);
  return reader.open();
}

function lineOf(
  batch: RecordBatch,
  index: number,
  number: number,
  { columns, cuts }: { readonly columns: readonly SourceColumn[]; readonly cuts: Cuts },
): Line {
  try {
    return { number, text: arrowRecord(batch.data, index, columns, cuts) };
  } catch (error) {
    if (error instanceof RowValidationError) return { number, text: '', fault: error.reason };
    throw error;
  }
}

/** The library's errors about a file have no common class. */
export async function readable<T>(task: () => Promise<T>, format = 'Arrow'): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof GatewayError || (error instanceof Error && 'code' in error)) throw error;
    const [, type] = /^Unrecognized type: "(\w+)"/.exec(error instanceof Error ? error.message : '') ?? [];
    const reason =
      type === undefined ? 'it is damaged or cut short' : `it has the type ${type}, which is not supported`;
    throw new GatewayError('BAD_USER_INPUT', `It can't be read as ${format}: ${reason}.`, { cause: error });
  }
}
