import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { GatewayError } from '../../base/errors/errors.ts';
import { megabytes } from '../../base/forms/bytes.ts';
import type { Source } from '../../definitions/sources/source.ts';
import type { FileRows } from '../../engines/duckdb/store/insert/file-rows.ts';
import { jsonLines } from './body/json-lines.ts';
import type { Line } from './body/lines.ts';
import { plainBytes } from './body/plain-bytes.ts';
import { csvLines } from './csv/csv-lines.ts';
import { isCsvName } from './csv/is-csv-name.ts';
import type { AcceptedTimes } from './encode/accepted-times.ts';
import { isParquetFile, openParquetFile } from './parquet/parquet-file.ts';

/** A file of rows to import: NDJSON, a JSON array or CSV, each plain or gzip, or Parquet. */
interface RowFile {
  /** Its size in bytes or rows; undefined if unknown. */
  readonly total: number | undefined;
  /**
   * Reads the rows, once.
   *
   * @param times those that valid rows may have; any time by default
   */
  read(source: Source, progress: ReadProgress, times?: AcceptedTimes): RowInput;
  close(): void;
}

/** The rows of a file: as NDJSON, or as lines. */
export type RowInput = ({ readonly bytes: AsyncIterable<Uint8Array> } | RowLines) & {
  /** Those that valid rows may have; any time by default. */
  readonly times?: AcceptedTimes | undefined;
};

/** The rows of a file, once: either all as lines, or the certainly valid ones, then the lines of the others. */
interface RowLines {
  lines(): AsyncIterable<Line>;
  fittingRows(): FileRows | undefined;
  otherLines(): AsyncIterable<Line>;
}

interface ReadProgress {
  /** Called with how much of the file's `total` has been read. */
  readonly onProgress: (done: number) => void;
  readonly onEnd: () => void;
}

interface RowFileOptions {
  /** The input of the name `-`. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** DuckDB's memory limit while it reads Parquet. */
  readonly memoryLimit: string;
  /** DuckDB's threads meanwhile. */
  readonly threads: number;
  /** How long the text of the rows may be, decompressed. By default, as long as it likes. Parquet is not text. */
  readonly maxTextBytes?: number;
}

const readAtOnce = 256 * 1024;

/** Opens a file by its content; only CSV has to be named so. Rejects as `fs` does, or with a `GatewayError`. */
export async function openRowFile(
  file: string,
  { stdin, memoryLimit, threads, maxTextBytes = Infinity }: RowFileOptions,
): Promise<RowFile> {
  if (file === '-') return textFile(stdin, undefined, maxTextBytes);
  if (await isParquetFile(file)) {
    const parquet = await openParquetFile(file, { memoryLimit, threads });
    const one = () => 1;
    return {
      total: parquet.rowCount,
      close: () => parquet.close(),
      read: (source, progress, times) => ({
        lines: () => counted(parquet.lines(source), one, progress),
        fittingRows: () => announced(parquet.fittingRows(source, times), progress),
        otherLines: () => parquet.otherLines(source, times),
        times,
      }),
    };
  }
  const { size } = await stat(file);
  if (size === 0 && /\.(?:parquet|gz)$/i.test(file)) {
    throw new GatewayError('BAD_USER_INPUT', 'The file is empty: it is neither Parquet nor gzip.');
  }
  const bytes = createReadStream(file, { highWaterMark: readAtOnce });
  return isCsvName(file) ? csvFile(bytes, size, maxTextBytes) : textFile(bytes, size, maxTextBytes);
}

function textFile(bytes: AsyncIterable<Uint8Array>, total: number | undefined, maxBytes: number): RowFile {
  return {
    total,
    read: (_source, progress, times) => ({
      bytes: jsonLines(bounded(plainBytes(countedBytes(bytes, progress)), maxBytes)),
      times,
    }),
    close() {},
  };
}

function csvFile(bytes: AsyncIterable<Uint8Array>, total: number, maxBytes: number): RowFile {
  return {
    total,
    read: (source, progress, times) => {
      const lines = () => csvLines(bounded(plainBytes(countedBytes(bytes, progress)), maxBytes), source);
      return { lines, fittingRows: () => undefined, otherLines: lines, times };
    },
    close() {},
  };
}

/** @throws GatewayError for more bytes */
async function* bounded(bytes: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let given = 0;
  for await (const piece of bytes) {
    given += piece.length;
    if (given > maxBytes)
      throw new GatewayError('PAYLOAD_TOO_LARGE', `Its text is longer than ${megabytes(maxBytes)}.`);
    yield piece;
  }
}

function countedBytes(bytes: AsyncIterable<Uint8Array>, progress: ReadProgress) {
  return counted(bytes, (piece) => piece.length, progress);
}

/** DuckDB reads these rows in one step, so that their progress is reported once. */
function announced(file: FileRows | undefined, { onProgress, onEnd }: ReadProgress): FileRows | undefined {
  if (file === undefined) return undefined;
  const onTaken = (rows: number) => {
    file.onTaken(rows);
    onProgress(rows);
    if (rows === file.rowCount) onEnd();
  };
  return { ...file, onTaken };
}

async function* counted<T>(
  items: AsyncIterable<T>,
  size: (item: T) => number,
  { onProgress, onEnd }: ReadProgress,
): AsyncGenerator<T> {
  let done = 0;
  for await (const item of items) {
    yield item;
    done += size(item);
    onProgress(done);
  }
  onEnd();
}
