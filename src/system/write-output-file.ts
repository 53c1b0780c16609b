import { stat, writeFile } from 'node:fs/promises';
import { UnfitFile } from './read-written-file.ts';
import { isSafeDevice } from './safe-device.ts';

/**
 * Writes what a command was asked to write to a path. What is there already is a file or a character device: a named pipe
 * would wait for a reader without end. `isSafeDevice` names pipes that are written to.
 *
 * @throws UnfitFile; errors of the file system
 */
export async function writeOutputFile(path: string, text: string): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  if (there !== undefined && !isSafeDevice(path)) {
    // Writing to a folder fails with a code of its own.
    const isFit = there.isFile() || there.isCharacterDevice() || there.isDirectory();
    if (!isFit) throw new UnfitFile('it is not a file');
  }
  await writeFile(path, text);
}
