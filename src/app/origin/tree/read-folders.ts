import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../../../base/errors/command-error.ts';
import { isNoFile, readWrittenFile } from '../../../base/system/read-written-file.ts';
import { shownFile } from '../../../base/system/shown-file.ts';
import { boardsDir } from '../../../definitions/boards/load-boards.ts';
import type { Config } from '../../../definitions/settings/config.ts';
import { type TreeFile, treeFolders, treeLock } from './tree-file.ts';

/**
 * All files of the folders of endpoints, sources and boards, and the lock file beside the endpoints, without hidden ones.
 *
 * @throws CommandError for links; errors of the file system
 */
export async function readFolders({
  endpointsDir,
  sourcesDir,
}: Pick<Config, 'endpointsDir' | 'sourcesDir'>): Promise<readonly TreeFile[]> {
  const lock = await readWrittenFile(`${endpointsDir}.lock`).catch((error) => {
    if (isNoFile(error)) return undefined;
    throw error;
  });
  return [
    ...(await filesBelow(endpointsDir, treeFolders.endpoints)),
    ...(await filesBelow(sourcesDir, treeFolders.sources)),
    ...(await filesBelow(boardsDir({ endpointsDir }), treeFolders.boards, 'optional')),
    ...(lock === undefined ? [] : [{ path: treeLock, bytes: lock }]),
  ];
}

async function filesBelow(folder: string, path: string, need?: 'optional'): Promise<TreeFile[]> {
  const files: TreeFile[] = [];
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (need === 'optional' && isNoFile(error)) return [];
    throw error;
  });
  for (const entry of entries) {
    const [place, below] = [join(folder, entry.name), `${path}/${entry.name}`];
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) files.push(...(await filesBelow(place, below)));
    else if (entry.isFile()) files.push({ path: below, bytes: await readWrittenFile(place) });
    else throw new CommandError(`${shownFile(place)} is neither a file nor a folder: a link can't be packed`);
  }
  return files;
}
