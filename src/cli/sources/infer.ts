import type { Output } from '../../base/terminal/output.ts';
import { counted } from '../../base/text/counted.ts';
import { schemaText } from '../../definitions/sources/schema-text.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { inferSchema } from './infer-schema.ts';

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
