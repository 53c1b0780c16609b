import { once } from 'node:events';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Clock } from '../system/clock.ts';

/**
 * The socket in each folder on which its owner listens. The system ends that with the process, however it ends, and shows it to
 * processes in other containers, too, unlike process ids.
 */
const ownerSocket = 'o';
const owners = new Map<string, Server>();

/**
 * Creates a temporary folder that only this user can enter (mode 0700). It belongs to this process, which removes it by
 * {@link removePrivateFolder}.
 */
export async function makePrivateFolder(name: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), `gateway-${name}-`));
  const owner = createServer((socket) => socket.destroy()).unref();
  owner.listen(path.join(folder, ownerSocket));
  // A folder without it, because its path is too long, is never taken for one of a killed process.
  await once(owner, 'listening').then(
    () => owners.set(folder, owner),
    () => undefined,
  );
  return folder;
}

/** Removes a private folder, if it is still there. */
export async function removePrivateFolder(folder: string): Promise<void> {
  owners.get(folder)?.close();
  owners.delete(folder);
  await rm(folder, { recursive: true, force: true });
}

/** Until a socket is so old, its owner may not listen yet. */
const youngMs = 60_000;

/**
 * Removes the private folders of this user's processes that were killed with all that would have removed them. Folders that can't be
 * examined or removed stay.
 */
export async function removeOrphanedFolders(clock: Pick<Clock, 'now'>): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  const folders = names.filter((name) => /^gateway-[a-z]+-\w{6}$/.test(name));
  for (const name of folders) {
    const folder = path.join(tmpdir(), name);
    const isOrphan = await isOrphaned(folder, clock.now()).catch(() => false);
    if (isOrphan) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function isOrphaned(folder: string, now: number): Promise<boolean> {
  const stats = await lstat(folder);
  if (!stats.isDirectory() || stats.uid !== process.getuid?.()) return false;
  const name = path.join(folder, ownerSocket);
  const owner = await lstat(name);
  return owner.isSocket() && owner.mtimeMs < now - youngMs && (await refusesConnections(name));
}

async function refusesConnections(name: string): Promise<boolean> {
  const socket = connect(name);
  try {
    await once(socket, 'connect');
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
  } finally {
    socket.destroy();
  }
}
