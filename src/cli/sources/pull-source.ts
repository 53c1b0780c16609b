import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CommandError } from '../../base/errors/command-error.ts';
import { readWrittenFile, UnfitFile } from '../../base/system/read-written-file.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import { writeOutputFile } from '../../base/system/write-output-file.ts';
import { columnChanges } from '../../definitions/sources/column-changes.ts';
import { parseSource } from '../../definitions/sources/parse-source.ts';
import { type ReadableFields, readableFields } from '../../definitions/sources/readable-fields.ts';
import { schemaText } from '../../definitions/sources/schema-text.ts';
import type { Source } from '../../definitions/sources/source.ts';
import type { TableField } from '../../definitions/sources/table-field.ts';

/** The result for a source's file. */
export interface PulledSource {
  readonly outcome: 'unchanged' | 'new' | 'changed';
  readonly columns: number;
  /** The changes, a sentence each. */
  readonly changes: readonly string[];
  readonly unreadable: ReadableFields['unreadable'];
}

/** Thrown for a table that can't be a source, with the reason. */
export class NoSource extends Error {
  override readonly name = 'NoSource';
}

/**
 * Writes the columns of a table as a source file, unless the file already has them. Keeps what the file says besides.
 *
 * @param before the content of the file, if it exists
 * @throws NoSource; CommandError for a file that is none; errors of writing it
 */
export async function pullSource(
  folder: string,
  name: string,
  table: readonly TableField[],
  before: Source | undefined,
): Promise<PulledSource> {
  const { fields, unreadable } = readableFields(table);
  const file = join(folder, `${name}.json`);
  const text = schemaText(fields, before);
  const source = parsed(name, file, text);
  if (fields.length === 0) throw new NoSource('the table has no columns of types that a source can have');
  const columns = fields.length;
  if (before !== undefined && isDeepStrictEqual(before.columns, source.columns)) {
    return { outcome: 'unchanged', columns, changes: [], unreadable };
  }
  await writeOutputFile(file, text).catch((error: unknown) => {
    if (!(error instanceof UnfitFile)) throw error;
    throw new CommandError(`${shownFile(file)} can't be written: ${error.message}`);
  });
  if (before === undefined) return { outcome: 'new', columns, changes: [], unreadable };
  const changes = columnChanges(before.columns, source.columns);
  const others = 'descriptions or the order of columns';
  return { outcome: 'changed', columns, changes: changes.length > 0 ? changes : [others], unreadable };
}

function parsed(name: string, file: string, text: string): Source {
  const source = parseSource(name, file, text, { isStored: false });
  if ('columns' in source) return source;
  throw new NoSource(source.map((problem) => problem.text).join('; '));
}

/** The content of a source's file. Undefined if it doesn't exist or is invalid. */
export async function readSource(folder: string, name: string): Promise<Source | undefined> {
  const file = join(folder, `${name}.json`);
  try {
    const source = parseSource(name, file, (await readWrittenFile(file)).toString(), { isStored: false });
    return 'columns' in source ? source : undefined;
  } catch {
    return undefined;
  }
}
