import { createReadStream } from 'node:fs';
import { CommandError, unreadableFile } from '../../base/errors/command-error.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import type { Output } from '../../base/terminal/output.ts';
import { counted } from '../../base/text/counted.ts';
import { schemaText } from '../../definitions/sources/schema-text.ts';
import { isCsvName } from '../../rows/ingest/csv/is-csv-name.ts';
import { type InferredSchema, inferFields } from '../../rows/ingest/infer/infer-fields.ts';
import { NotInferable } from '../../rows/ingest/infer/seen-record.ts';
import { isParquetFile } from '../../rows/ingest/parquet/parquet-file.ts';
import { exitCodes } from '../output/exit-codes.ts';

/**
 * Prints the proposed schema of a source for the rows of a file to standard output, and what a person should know about it
 * to standard error.
 *
 * @param file a path; `-` is standard input
 * @returns the exit code
 * @throws CommandError if the rows have no schema, or the file can't be read
 */
export async function inferCommand(
  file: string,
  { out, err }: Output,
  stdin: AsyncIterable<Uint8Array> = process.stdin,
): Promise<number> {
  const { fields, notes, rows } = await inferSchema(file, stdin);
  out(schemaText(fields));
  err(`${file === '-' ? 'stdin' : file}: ${counted(rows, 'row')}\n`);
  for (const note of notes) err(`  ${note}\n`);
  return exitCodes.success;
}

/**
 * Proposes a schema for the rows of a file.
 *
 * @param file a path; `-` is standard input
 * @throws CommandError naming the file, if its rows have no schema or it can't be read
 */
export async function inferSchema(
  file: string,
  stdin: AsyncIterable<Uint8Array> = process.stdin,
): Promise<InferredSchema> {
  try {
    if (file !== '-' && (await isParquetFile(file)))
      throw new NotInferable('The file is Parquet, not NDJSON, CSV or a JSON array.');
    const bytes = file === '-' ? stdin : createReadStream(file, { highWaterMark: 256 * 1024 });
    return await inferFields(bytes, isCsvName(file));
  } catch (error) {
    const name = file === '-' ? 'stdin' : file;
    const unreadable = unreadableFile(name, error);
    if (unreadable !== undefined) throw new CommandError(`${unreadable}.`, error);
    if (!(error instanceof NotInferable || error instanceof GatewayError)) throw error;
    throw new CommandError(`${name}: ${error.message}`, error);
  }
}
