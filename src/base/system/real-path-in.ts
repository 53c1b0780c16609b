import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { UnfitFile } from './read-written-file.ts';

/**
 * The real path of a file that is in a folder, also after all symbolic links.
 *
 * @throws UnfitFile for a file outside of the folder; errors of the file system
 */
export async function realPathIn(folder: string, file: string): Promise<string> {
  if (file.includes('\0')) throw new UnfitFile('it is not a file');
  const [above, real] = await Promise.all([realpath(folder), realpath(file)]);
  const way = path.relative(above, real);
  if (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way)) return real;
  throw new UnfitFile(`it is outside of the folder ${above}`);
}
