import { stat } from 'node:fs/promises';
import path from 'node:path';
import { CommandError, UsageError } from '../../base/errors/command-error.ts';
import type { Problem } from '../../base/errors/problem.ts';
import { exists } from '../../base/system/exists.ts';
import { type FolderFiles, filesOnDisk } from '../../base/system/folder-files.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { filesOfRevision, findRevision } from './git-files.ts';

/** The files with which those of now are compared. */
export interface EarlierFiles {
  readonly config: Config;
  readonly files: FolderFiles;
  /** A problem in one of them, with a file name that tells them from those of now. */
  placed(problem: Problem): Problem;
}

/**
 * Finds the earlier files: in a folder, or in a revision of the repository that holds the endpoints and sources. A folder is a
 * project: it has its endpoints and sources where the project here has them, or in `endpoints` and `sources`.
 *
 * @param named a folder or a revision
 * @throws UsageError if it is neither, or a folder without endpoints; CommandError if there is no repository
 */
export async function findEarlierFiles(config: Config, named: string): Promise<EarlierFiles> {
  const isFolder = await stat(named).then(
    (found) => found.isDirectory(),
    () => false,
  );
  // A name with a dot at the start, such as ./before, is a folder's.
  const isSurelyFolder = isFolder && (path.isAbsolute(named) || named.startsWith('.'));
  if (isSurelyFolder) return inFolder(config, named);
  const revision = await findRevision(await existing(config.endpointsDir), named).catch((error: unknown) => {
    if (isFolder && error instanceof CommandError) return undefined;
    throw error;
  });
  if (revision !== undefined && isFolder)
    throw new UsageError(
      `${named}: this is a folder and a revision. Write ./${named} for the folder, or ${named}^{commit} for the revision.`,
    );
  if (isFolder) return inFolder(config, named);
  if (revision === undefined)
    throw new UsageError(
      `${named}: there is no such folder, and no such revision in the git repository of ${shownFile(config.endpointsDir)}`,
    );
  const files = await filesOfRevision(revision, [
    await existing(config.endpointsDir),
    await existing(config.sourcesDir),
  ]);
  return { config, files, placed: (problem) => ({ ...problem, file: `${named}:${problem.file}` }) };
}

async function existing(folder: string): Promise<string> {
  if (await exists(folder)) return folder;
  throw new CommandError(`${shownFile(folder)}: there is no such folder`);
}

async function inFolder(config: Config, folder: string): Promise<EarlierFiles> {
  const endpointsDir = await placeIn(folder, config.endpointsDir, 'endpoints');
  const sourcesDir = await placeIn(folder, config.sourcesDir, 'sources');
  if (endpointsDir === undefined || sourcesDir === undefined) {
    const missing = endpointsDir === undefined ? 'endpoints' : 'sources';
    const usual = endpointsDir === undefined ? config.endpointsDir : config.sourcesDir;
    const places = [...new Set([shownFile(usual), missing])].filter((place) => !place.startsWith('..'));
    throw new UsageError(`${folder}: this folder has no ${missing} in ${places.join(' or ')}`);
  }
  const earlier = { ...config, endpointsDir, sourcesDir };
  return { config: earlier, files: filesOnDisk, placed: (problem) => problem };
}

/** Where a folder has what is in another one here: at the same place, or in a folder with the usual name. */
async function placeIn(folder: string, here: string, usual: string): Promise<string | undefined> {
  const relative = path.relative('', here);
  const isWithin = !relative.startsWith('..') && !path.isAbsolute(relative);
  for (const place of [...(isWithin ? [path.join(folder, relative)] : []), path.join(folder, usual)])
    if (await exists(place)) return place;
  return undefined;
}
