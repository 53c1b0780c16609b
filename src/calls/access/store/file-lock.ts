import { randomUUID } from 'node:crypto';
import { type FileHandle, link, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { isCode } from '../../../base/system/is-code.ts';
import { KeyStoreError } from './key-store.ts';

/** How often to check whether the lock is free, and for how long, in milliseconds. */
const retryMs = 15;
const timeoutMs = 10_000;
/** Changing a file takes milliseconds: the holder of a lock of this age, in milliseconds, has died. */
const abandonedMs = 30_000;

/**
 * Runs work under a file lock. A lock whose holder has died is taken over.
 *
 * @throws KeyStoreError if the lock doesn't become free
 */
export async function underLock<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const token = JSON.stringify({ pid: process.pid, host: hostname(), token: randomUUID() });
  const end = Date.now() + timeoutMs;
  while (!(await take(lock, token))) {
    await removeAbandoned(lock);
    if (Date.now() > end)
      throw new KeyStoreError(`${lock}: another process holds this lock; remove the file if none does`);
    await sleep(retryMs);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function take(lock: string, token: string): Promise<boolean> {
  let handle: FileHandle;
  try {
    handle = await open(lock, 'wx', 0o600);
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
  try {
    await handle.writeFile(token);
    return true;
  } catch (error) {
    // A full disk leaves an empty file, which would block everyone as a lock without a known holder.
    await rm(lock, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/**
 * Removes the lock of a dead holder. The file is renamed and checked first: another process may have replaced it with its
 * own lock, which is then restored.
 */
async function removeAbandoned(lock: string): Promise<void> {
  const content = await abandonedContent(lock);
  if (content === undefined) return;
  const aside = `${lock}.${randomUUID()}`;
  try {
    await rename(lock, aside);
    if ((await readFile(aside, 'utf8')) !== content) await link(aside, lock);
  } catch (error) {
    if (!isCode(error, 'ENOENT') && !isCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

async function abandonedContent(lock: string): Promise<string | undefined> {
  try {
    const [{ mtimeMs }, content] = await Promise.all([stat(lock), readFile(lock, 'utf8')]);
    return Date.now() - mtimeMs > abandonedMs || isOfDead(content) ? content : undefined;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function isOfDead(content: string): boolean {
  const [, pid = '', host] = /^\{"pid":(\d+),"host":"([^"]*)"/.exec(content) ?? [];
  if (host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return isCode(error, 'ESRCH');
  }
}
