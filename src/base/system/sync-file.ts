import { open } from 'node:fs/promises';

/** Makes a file's content durable, or a folder's names. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
