import { stat } from 'node:fs/promises';

/**
 * Whether a path leads to a regular file. Pipes and devices aren't: reading them may never end.
 *
 * @throws errors of the file system, such as ENOENT
 */
export async function isFile(path: string): Promise<boolean> {
  return (await stat(path)).isFile();
}
