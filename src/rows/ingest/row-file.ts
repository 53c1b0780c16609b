import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { GatewayError } from '../../base/errors/errors.ts';
import { megabytes } from '../../base/forms/bytes.ts';
import type { Source } from '../../definitions/sources/source.ts';
import type { FileRows } from '../../engines/duckdb/store/insert/file-rows.ts';
import type { ArrowFile } from './arrow/arrow-file.ts';
import { isArrowFile } from './arrow/is-arrow.ts';
import type { Line } from './body/lines.ts';
import type { AcceptedTimes } from './encode/accepted-times.ts';
import { arrivingColumns } from './encode/arriving-columns.ts';
import { isParquetFile, openParquetFile } from './parquet/parquet-file.ts';
import { unlessLong } from './parquet/unreadable-columns.ts';
import type { TextFormat } from './text/text-format.ts';
import { formedText, rowsOfText, type TextFile } from './text/text-rows.ts';

/** A file of rows to import: a text of some form, or Parquet. */
interface RowFile {
  /** Its size in bytes or rows; undefined if unknown. */
  readonly total: number | undefined;
  /**
   * Reads the rows, once.
   *
   * @param times those that valid rows may have; any time by default
   */
  read(source: Source, progress: ReadProgress, times?: AcceptedTimes): Promise<RowInput>;
  close(): void;
}

/** The rows of a file: as NDJSON, or as lines. */
export type RowInput = ({ readonly bytes: AsyncIterable<Uint8Array> } | RowLines) & {
  /** Those that valid rows may have; any time by default. */
  readonly times?: AcceptedTimes | undefined;
  /** The zone of times without an offset; UTC by default. */
  readonly zone?: string | undefined;
  /** Whether times were cut to microseconds, once the rows were read. Of texts, the rows tell. */
  readonly hasFinerTimes?: (() => boolean) | undefined;
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
  /** The form of a text. By default, its name or its content tells. */
  readonly format?: TextFormat | undefined;
  /** The zone of times without an offset; UTC by default. */
  readonly zone?: string | undefined;
}

const readAtOnce = 256 * 1024;

/** Opens a file by its name and its content. Rejects as `fs` does, or with a `GatewayError`. */
export async function openRowFile(
  file: string,
  { stdin, memoryLimit, threads, maxTextBytes = Infinity, format, zone }: RowFileOptions,
): Promise<RowFile> {
  const text = { name: file, format, zone, maxBytes: maxTextBytes };
  if (file === '-') return textFile(stdin, { ...text, total: undefined, changed: new Date() });
  if (await isParquetFile(file)) {
    refuseZone(zone, 'Parquet');
    const parquet = await unlessLong(openParquetFile(file, { memoryLimit, threads }));
    if (parquet === undefined) {
      const { openParquetAsArrow } = await import('./parquet/parquet-as-arrow.ts');
      return arrowRows(await openParquetAsArrow(file));
    }
    const one = () => 1;
    return {
      total: parquet.rowCount,
      close: () => parquet.close(),
      read: async (source, progress, times) => ({
        lines: () => counted(parquet.lines(source), one, progress),
        fittingRows: () => announced(parquet.fittingRows(source, times), progress),
        otherLines: () => parquet.otherLines(source, times),
        times,
        hasFinerTimes: () => parquet.hasFinerTimes,
      }),
    };
  }
  if (await isArrowFile(file)) return await arrowFile(file, zone);
  const { size, mtime } = await stat(file);
  if (size === 0 && /\.(?:parquet|gz|zst)$/i.test(file)) {
    throw new GatewayError('BAD_USER_INPUT', 'The file is empty: it is neither Parquet nor compressed.');
  }
  const bytes = createReadStream(file, { highWaterMark: readAtOnce });
  return textFile(bytes, { ...text, total: size, changed: mtime });
}

async function arrowFile(file: string, zone: string | undefined): Promise<RowFile> {
  refuseZone(zone, 'Arrow');
  // Loaded by the first use: it takes a tenth of a second and 20 MB.
  const { openArrow } = await import('./arrow/arrow-file.ts');
  return arrowRows(await openArrow(file));
}

function arrowRows(arrow: ArrowFile): RowFile {
  return {
    total: undefined,
    close: () => void arrow.close(),
    async read(source, progress, times) {
      const lines = () => counted(arrow.lines(arrivingColumns(source)), () => 1, progress);
      return {
        lines,
        fittingRows: () => undefined,
        otherLines: lines,
        times,
        hasFinerTimes: () => arrow.hasFinerTimes,
      };
    },
  };
}

/** @throws GatewayError */
function refuseZone(zone: string | undefined, format: string): void {
  if (zone !== undefined)
    throw new GatewayError('BAD_USER_INPUT', `${format} has times in UTC: --zone is only for texts.`);
}

interface OpenedText extends TextFile {
  readonly total: number | undefined;
  readonly maxBytes: number;
  readonly zone: string | undefined;
}

function textFile(given: AsyncIterable<Uint8Array>, text: OpenedText): RowFile {
  const { total, maxBytes, zone } = text;
  return {
    total,
    async read(source, progress, times) {
      const formed = await formedText(countedBytes(given, progress), text);
      const rows = rowsOfText({ ...formed, bytes: bounded(formed.bytes, maxBytes) }, source, text);
      if ('bytes' in rows) return { ...rows, times, zone };
      const lines = () => rows.lines;
      return { lines, fittingRows: () => undefined, otherLines: lines, times, zone };
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
