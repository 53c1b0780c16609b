import { randomUUID } from 'node:crypto';
import { type FileHandle, lstat, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

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

/** Replaces the text of a file at once: it has the old text or the new one. Its mode stays, and so do links to it by name. */
export async function replaceText(path: string, text: string): Promise<void> {
  const file = await realpath(path);
  const next = `${file}.${process.pid}.new`;
  try {
    await writeFile(next, text, { flag: 'wx', mode: (await stat(file)).mode });
    await rename(next, file);
  } finally {
    await rm(next, { force: true });
  }
}

/** Writes a file that does not exist yet, and that only its owner can read. */
export async function writeNew(path: string, write: (to: FileHandle) => Promise<void>): Promise<void> {
  const to = await open(path, 'wx', 0o600);
  try {
    await write(to);
  } finally {
    await to.close();
  }
}

/** Makes a file's content durable, or a folder's names. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
