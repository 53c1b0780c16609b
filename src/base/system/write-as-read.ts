import { writeFile } from 'node:fs/promises';
import { isNoFile, readWrittenFile } from './read-written-file.ts';
import { replaceText } from './replace-file.ts';

/** Why a file is not as its author has read it: it is there although it should be new, or has another text or none. */
export type ReadState = 'exists' | 'changed' | 'same';

/**
 * Compares a file with what its author has read of it.
 *
 * @param before undefined if there was no file
 * @throws errors of the file system
 */
export async function readStateOf(file: string, before: string | undefined): Promise<ReadState> {
  const now = await readWrittenFile(file).catch((error: unknown) => {
    if (isNoFile(error)) return undefined;
    throw error;
  });
  if (now?.toString() === before) return 'same';
  return before === undefined ? 'exists' : 'changed';
}

/**
 * Writes a file that is as its author has read it: see {@link readStateOf}. A new file replaces none.
 *
 * @param before undefined if there was no file
 * @throws errors of the file system, EEXIST among them
 */
export async function writeAsRead(file: string, text: string, before: string | undefined): Promise<void> {
  if (before === undefined) await writeFile(file, text, { flag: 'wx' });
  else await replaceText(file, text);
}
