import { type FileHandle, open } from 'node:fs/promises';

/** Writes a file that does not exist yet, and that only its owner can read. */
export async function writeNew(path: string, write: (to: FileHandle) => Promise<void>): Promise<void> {
  const to = await open(path, 'wx', 0o600);
  try {
    await write(to);
  } finally {
    await to.close();
  }
}
