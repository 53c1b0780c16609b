import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** All processes shared the folder `spill` once. */
const ofProcess = /^spill(-\d+-\d+)?$/;

/**
 * The folder for what this process spills from memory, which DuckDB makes when it needs it. DuckDB may spill while it opens
 * the store, before it is known that no other process has it open: so each process has its own.
 */
export function spillFolder(dataDir: string): string {
  return join(dataDir, `spill-${process.pid}-${Math.round(performance.timeOrigin)}`);
}

/** Removes what killed processes left behind. Only for the store's owner, whose own folder stays. */
export async function removeOtherSpillFolders(own: string, dataDir: string): Promise<void> {
  const names = await readdir(dataDir);
  const others = names.filter((name) => ofProcess.test(name) && name !== basename(own));
  await Promise.all(others.map((name) => rm(join(dataDir, name), { recursive: true, force: true })));
}
