import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { CommandError, unreadableFile } from '../../base/errors/command-error.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import type { Output } from '../../base/terminal/output.ts';
import { counted } from '../../base/text/counted.ts';
import { schemaText } from '../../definitions/sources/schema-text.ts';
import { isArrowFile } from '../../rows/ingest/arrow/is-arrow.ts';
import { type InferredSchema, inferFields } from '../../rows/ingest/infer/infer-fields.ts';
import { inferParquet } from '../../rows/ingest/infer/infer-parquet.ts';
import { NotInferable } from '../../rows/ingest/infer/seen-record.ts';
import { isParquetFile } from '../../rows/ingest/parquet/parquet-file.ts';
import { unlessLong } from '../../rows/ingest/parquet/unreadable-columns.ts';
import type { TextFormat } from '../../rows/ingest/text/text-format.ts';
import { exitCodes } from '../output/exit-codes.ts';

export interface InferOptions {
  /** The form of a text. By default, its name or its content tells. */
  readonly format?: TextFormat | undefined;
}

/**
 * Prints the proposed file of a source for the rows of a file to standard output, and what a person should know about it
 * to standard error.
 *
 * @param file a path; `-` is standard input
 * @returns the exit code
 * @throws CommandError if the rows have no schema, or the file can't be read
 */
export async function inferCommand(
  file: string,
  options: InferOptions,
  { out, err }: Output,
  stdin: AsyncIterable<Uint8Array> = process.stdin,
): Promise<number> {
  const { fields, settings, notes, rows, read } = await inferSchema(file, options, stdin);
  out(schemaText(fields, settings));
  const part = read === rows ? '' : `, of which ${read.toLocaleString('en')} were read`;
  err(`${file === '-' ? 'stdin' : file}: ${counted(rows, 'row')}${part}\n`);
  for (const note of notes) err(`  ${note}\n`);
  return exitCodes.success;
}

/**
 * Proposes the file of a source for the rows of a file.
 *
 * @param file a path; `-` is standard input
 * @throws CommandError naming the file, if its rows have no schema or it can't be read
 */
export async function inferSchema(
  file: string,
  { format }: InferOptions = {},
  stdin: AsyncIterable<Uint8Array> = process.stdin,
): Promise<InferredSchema> {
  try {
    if (file === '-') return await inferFields(stdin, { name: file, changed: new Date(), format });
    if (await isParquetFile(file)) return (await unlessLong(inferParquet(file))) ?? (await inferLong(file));
    if (await isArrowFile(file))
      return await (await import('../../rows/ingest/infer/infer-arrow.ts')).inferArrow(file);
    const bytes = createReadStream(file, { highWaterMark: 256 * 1024 });
    return await inferFields(bytes, { name: file, changed: (await stat(file)).mtime, format });
  } catch (error) {
    const name = file === '-' ? 'stdin' : file;
    const unreadable = unreadableFile(name, error);
    if (unreadable !== undefined) throw new CommandError(`${unreadable}.`, error);
    if (!(error instanceof NotInferable || error instanceof GatewayError)) throw error;
    throw new CommandError(`${name}: ${error.message}`, error);
  }
}

/** Of a Parquet file with decimals that are too long for DuckDB. */
async function inferLong(file: string): Promise<InferredSchema> {
  const { openParquetAsArrow } = await import('../../rows/ingest/parquet/parquet-as-arrow.ts');
  const { inferOpenArrow } = await import('../../rows/ingest/infer/infer-arrow.ts');
  return await inferOpenArrow(await openParquetAsArrow(file));
}
