import { createReadStream } from 'node:fs';
import type { Output } from '../../app/output.ts';
import { GatewayError } from '../../errors.ts';
import { isCsvName } from '../../ingest/csv/is-csv-name.ts';
import { inferFields } from '../../ingest/infer/infer-fields.ts';
import { NotInferable } from '../../ingest/infer/seen-record.ts';
import { isParquetFile } from '../../ingest/parquet/parquet-file.ts';
import { schemaText } from '../../sources/schema-text.ts';
import { counted } from '../../text/counted.ts';

/**
 * Prints the proposed schema of a source for the rows of a file to standard output, and what a person should know about it
 * to standard error.
 *
 * @param file a path; `-` is standard input
 * @returns the exit code
 */
export async function inferCommand(
  file: string,
  { out, err }: Output,
  stdin: AsyncIterable<Uint8Array> = process.stdin,
): Promise<number> {
  const name = file === '-' ? 'stdin' : file;
  try {
    if (file !== '-' && (await isParquetFile(file)))
      throw new NotInferable('The file is Parquet, not NDJSON, CSV or a JSON array.');
    const bytes = file === '-' ? stdin : createReadStream(file, { highWaterMark: 256 * 1024 });
    const { fields, notes, rows } = await inferFields(bytes, isCsvName(file));
    out(schemaText(fields));
    err(`${name}: ${counted(rows, 'row')}\n`);
    for (const note of notes) err(`  ${note}\n`);
    return 0;
  } catch (error) {
    if (!isExpected(error)) throw error;
    err(`${name}: ${error.message}\n`);
    return 1;
  }
}

function isExpected(error: unknown): error is Error {
  if (error instanceof NotInferable || error instanceof GatewayError) return true;
  return error instanceof Error && 'syscall' in error;
}
