import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { UnfitFile } from './read-written-file.ts';
import { isSafeDevice } from './safe-device.ts';

/**
 * Opens a file that a command was asked to write, and empties it. What is there already is a file or a character device: a named
 * pipe would wait for a reader without end. A symbolic link is not followed: a project from a stranger may have one to a file
 * outside. `isSafeDevice` names pipes and links that are written to.
 *
 * @throws UnfitFile; errors of the file system
 */
export async function openOutputFile(path: string): Promise<FileHandle> {
  if (isSafeDevice(path)) return open(path, 'w');
  const there = await lstat(path).catch(() => undefined);
  if (there?.isSymbolicLink()) throw isLink();
  // Opening a folder fails with a code of its own.
  const isFit = there === undefined || there.isFile() || there.isCharacterDevice() || there.isDirectory();
  if (!isFit) throw new UnfitFile('it is not a file');
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants;
  return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ELOOP' ? isLink() : error;
  });
}

/**
 * Writes what a command was asked to write to a path, as `openOutputFile` opens it.
 *
 * @throws UnfitFile; errors of the file system
 */
export async function writeOutputFile(path: string, text: string): Promise<void> {
  const handle = await openOutputFile(path);
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

function isLink(): UnfitFile {
  return new UnfitFile('it is a symbolic link');
}
