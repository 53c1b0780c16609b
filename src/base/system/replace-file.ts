import { randomUUID } from 'node:crypto';
import { type FileHandle, lstat, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFile } from './sync-file.ts';

/**
 * Replaces a file, which only its owner may read, atomically and durably: even after a crash, it contains the old text or
 * the new one.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  const next = `${file}.${randomUUID()}`;
  try {
    const handle = await open(next, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await giveToOwner(handle, file);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(next, file);
  } finally {
    await rm(next, { force: true });
  }
  await syncFile(dirname(file));
}

/** When an administrator changes the file, the gateway's own user must still be able to read it. What a link leads to may be anyone's. */
async function giveToOwner(handle: FileHandle, file: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await lstat(file).catch(() => stat(dirname(file)));
  await handle.chown(uid, gid);
}
