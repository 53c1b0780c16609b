import { chmod, link, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { exists } from '../../../../base/system/exists.ts';

/** DuckDB makes logs and a folder for spilled rows beside a file. */
const suffix = /\.\d+\.new(\.wal(\.checkpoint)?|\.tmp)?$/;

/**
 * The name of a file beside a store until it is complete, or while it is needed. Each purpose of a process has its own. The
 * next owner of the store removes what a killed process leaves.
 */
export function unfinishedStoreFile(
  file: string,
  purpose: 'made' | 'lock' | 'log' | 'preview' | 'repaired',
): string {
  return `${file}.${purpose}.${process.pid}.new`;
}

/**
 * The format of new files. Old versions of DuckDB can read its default format, but not this one. In this one, repeated
 * texts are written in four fifths of the time and read up to twice as fast. A file keeps its format.
 */
export const storageVersion = 'v1.5.0';

/**
 * Creates an empty database at the path, if nothing is there, atomically, and for its owner only. DuckDB itself creates an
 * empty file and then writes into it: if it were killed in between, or the disk were full, it could never open that file
 * again.
 */
export async function makeStoreFile(file: string): Promise<void> {
  if (await exists(file)) return;
  const temporary = unfinishedStoreFile(file, 'made');
  try {
    await rm(temporary, { force: true });
    (await DuckDBInstance.create(temporary, { storage_compatibility_version: storageVersion })).closeSync();
    await chmod(temporary, 0o600);
    // Unlike a rename, a link never replaces a file that another process has created meanwhile.
    await link(temporary, file);
  } catch (error) {
    if (!(await exists(file))) throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Removes unfinished files of killed processes. Only for the store's owner. */
export async function removeUnfinishedFiles(file: string): Promise<void> {
  const folder = dirname(file);
  const names = await readdir(folder);
  const unfinished = names.filter((name) => name.startsWith(`${basename(file)}.`) && suffix.test(name));
  await Promise.all(unfinished.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
