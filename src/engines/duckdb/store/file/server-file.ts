import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readWrittenFile } from '../../../../base/system/read-written-file.ts';
import { StoreError } from './store-error.ts';

const serverInfo = z.object({
  /** The gateway. */
  pid: z.int().positive(),
  /** The process that has the store open. */
  storePid: z.int().positive(),
  /** Its address, without a slash at the end: `http://127.0.0.1:4000`. */
  url: z.url(),
  /** A key of this run for the commands of this user. */
  token: z.string().min(1),
  /** Whether its rows are made up, in a store elsewhere. It has not the one in this folder. */
  isMadeUp: z.literal(true).optional(),
});

/** How other programs on this machine reach the server that owns a data folder. */
export type ServerInfo = Readonly<z.infer<typeof serverInfo>>;

const fileName = 'server.json';

/** Writes `server.json` into the data folder, readable for this user only. Throws `StoreError` (`files`). */
export async function writeServerFile(dataDir: string, info: ServerInfo): Promise<void> {
  const file = join(dataDir, fileName);
  const temporary = `${file}.${info.pid}`;
  try {
    await rm(temporary, { force: true });
    await writeFile(temporary, `${JSON.stringify(info)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError('files', `${file} can't be written: ${reason}`, error);
  }
}

/** The content of `server.json`; undefined when it is missing or invalid. It may be out of date. */
export async function readServerFile(dataDir: string): Promise<ServerInfo | undefined> {
  try {
    return serverInfo.parse(JSON.parse((await readWrittenFile(join(dataDir, fileName))).toString()));
  } catch {
    return undefined;
  }
}

/**
 * The server that has a store open, whose opening failed with this error. The lock on the store decides, so a `server.json`
 * that a killed server left behind does no harm: its key is sent only to the process that has the store.
 *
 * @throws the error, unless a server has the store
 */
export async function serverHolding(dataDir: string, error: unknown): Promise<ServerInfo> {
  if (!(error instanceof StoreError) || error.kind !== 'locked') throw error;
  const server = await readServerFile(dataDir);
  if (server === undefined || server.isMadeUp || (error.holder ?? server.storePid) !== server.storePid)
    throw error;
  return server;
}

/** The gateway that serves made-up rows in place of those of a data folder; undefined if none does. */
export async function madeUpServer(dataDir: string): Promise<ServerInfo | undefined> {
  const server = await readServerFile(dataDir);
  return server?.isMadeUp && isAlive(server.pid) ? server : undefined;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Removes `server.json` if this process wrote it. */
export async function removeServerFile(dataDir: string, pid: number): Promise<void> {
  const info = await readServerFile(dataDir);
  if (info?.pid === pid) await rm(join(dataDir, fileName), { force: true });
}
