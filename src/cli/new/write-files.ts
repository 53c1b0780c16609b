import { access, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CommandError, readableError } from '../../base/errors/command-error.ts';
import { isCode } from '../../base/system/is-code.ts';
import { makeFolder } from '../../base/system/make-folder.ts';
import { shownFile } from '../../base/system/shown-file.ts';

/**
 * Writes new files: all of them, or none.
 *
 * @throws CommandError if one of them exists, or can't be written
 */
export async function writeFiles(files: readonly (readonly [path: string, text: string])[]): Promise<void> {
  for (const [path] of files) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) throw exists(path);
  }
  const written: string[] = [];
  try {
    for (const [path, text] of files) {
      await makeFolder(dirname(path));
      await writeFile(path, text, { flag: 'wx' });
      written.push(path);
    }
  } catch (error) {
    for (const path of written) await rm(path, { force: true });
    const isTaken = isCode(error, 'EEXIST');
    throw isTaken ? exists(files[written.length]?.[0] ?? '') : readableError(error);
  }
}

function exists(path: string): CommandError {
  return new CommandError(`${shownFile(path)} exists. Choose another name, or remove the file.`);
}

/**
 * The folder that new files go to: that of the settings, unless it is the one in the installed package, which belongs to
 * nobody's project.
 *
 * @param name the folder's usual name in a project
 */
export function folderOfProject(configured: string, name: string): string {
  return isOfPackage(configured) ? resolve(name) : configured;
}

/** Whether a folder of the settings is the one in the installed package, because the project has none. */
export function isOfPackage(configured: string): boolean {
  return /[\\/]node_modules[\\/]/.test(configured);
}
