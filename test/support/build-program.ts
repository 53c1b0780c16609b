import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { program } from './program.ts';

/** What the program is built from. */
const sources = ['src', 'build', 'package.json', 'package-lock.json'];

/** Builds the program before the tests, unless it is newer than its sources. */
export async function setup(): Promise<void> {
  const built = await changedAt(program).catch(() => 0);
  if (built > (await newestChange())) return;
  await promisify(execFile)('npm', ['run', 'build']);
}

async function newestChange(): Promise<number> {
  const inFolders = await Promise.all(
    sources
      .slice(0, 2)
      .map(async (folder) => (await readdir(folder, { recursive: true })).map((name) => join(folder, name))),
  );
  const times = await Promise.all([...sources, ...inFolders.flat()].map(changedAt));
  return Math.max(...times);
}

/** In milliseconds since the epoch. */
async function changedAt(path: string): Promise<number> {
  return (await stat(path)).mtimeMs;
}
