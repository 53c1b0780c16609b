import { openAsBlob } from 'node:fs';
import { type RecordBatch, tableFromIPC } from 'apache-arrow';
import * as parquet from 'parquet-wasm';
import { type ArrowFile, arrowFileOf, readable } from '../arrow/arrow-file.ts';

/** Rows in memory at a time. */
const batchSize = 8192;

/**
 * Opens a Parquet file whose decimals are too long for DuckDB. It is read several times as slowly, but with all digits.
 *
 * @throws GatewayError BAD_USER_INPUT, here or with the rows, when it can't be read
 */
export async function openParquetAsArrow(path: string): Promise<ArrowFile> {
  const blob = await openAsBlob(path);
  const file = await readable(() => parquet.ParquetFile.fromFile(blob), 'Parquet');
  const { schema } = tableFromIPC(file.schema().intoIPCStream());
  async function* batches(): AsyncGenerator<RecordBatch> {
    const stream = await file.stream({ batchSize });
    const pieces = stream as unknown as AsyncIterable<parquet.RecordBatch>;
    for await (const piece of pieces) yield* tableFromIPC(piece.intoIPCStream()).batches;
  }
  return arrowFileOf(schema, batches(), async () => file.free(), 'Parquet');
}
