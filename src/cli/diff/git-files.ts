import { realpath } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import { CommandError } from '../../base/errors/command-error.ts';
import { GitError, git } from '../../base/processes/git.ts';
import type { FolderFiles } from '../../base/system/folder-files.ts';
import { maxWrittenBytes, UnfitFile } from '../../base/system/read-written-file.ts';
import { shownFile } from '../../base/system/shown-file.ts';

/** Processes of git at the same time. */
const maxProcesses = 8;

/** A revision of the repository that holds a folder. */
export interface Revision {
  /** The top folder of the repository. */
  readonly top: string;
  /** The id of the commit. */
  readonly commit: string;
}

/**
 * Finds a revision: a branch, a tag, a commit, or what else git has names for.
 *
 * @returns undefined if the repository has no such revision
 * @throws CommandError if the folder is in no git repository
 */
export async function findRevision(folder: string, revision: string): Promise<Revision | undefined> {
  const top = await topOf(folder);
  // Options of git begin so, and no name of a revision does.
  if (revision.startsWith('-') || revision.includes('\0')) return undefined;
  try {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
    return { top, commit: (await git(top, args)).toString().trim() };
  } catch (error) {
    if (error instanceof GitError && error.exitCode !== undefined) return undefined;
    throw readable(error);
  }
}

async function topOf(folder: string): Promise<string> {
  try {
    const top = (await git(folder, ['rev-parse', '--show-toplevel'])).toString().replace(/\n$/, '');
    return await realpath(top);
  } catch (error) {
    if (error instanceof GitError && error.exitCode !== undefined)
      throw new CommandError(`${shownFile(folder)}: ${error.message}`);
    throw readable(error);
  }
}

function readable(error: unknown): unknown {
  return error instanceof GitError ? new CommandError(error.message) : error;
}

interface Blob {
  readonly id: string;
  readonly bytes: number;
  readonly isFile: boolean;
}

/**
 * The files of a revision, at the places where the folders' files are now. A folder that the revision lacks is empty. Symbolic links
 * are not followed.
 *
 * @param folders that exist now, in the repository
 * @throws CommandError if a folder is not in the repository
 */
export async function filesOfRevision(
  { top, commit }: Revision,
  folders: readonly string[],
): Promise<FolderFiles> {
  const places = await Promise.all(
    folders.map(async (folder) => ({ from: path.resolve(folder), to: await placeOf(folder, top) })),
  );
  const blobs = new Map<string, Blob>();
  for (const { to } of places) {
    for (const [name, blob] of await listed(top, commit, to)) blobs.set(name, blob);
  }
  const limit = pLimit(maxProcesses);
  const inRepository = (file: string): string | undefined => {
    const at = path.resolve(file);
    for (const { from, to } of places)
      if (at === from || at.startsWith(`${from}${path.sep}`))
        return path.posix.join(to, path.relative(from, at).split(path.sep).join('/'));
    return undefined;
  };
  return {
    async list(folder) {
      const at = inRepository(folder);
      const prefix = at === undefined ? undefined : at === '.' || at === '' ? '' : `${at}/`;
      const names = [...blobs.keys()].filter((name) => prefix !== undefined && name.startsWith(prefix));
      if (names.length === 0 && !places.some(({ to }) => to === at)) throw missing(folder);
      return [...new Set(names.map((name) => name.slice(prefix?.length).split('/')[0] ?? ''))];
    },
    async read(file) {
      const blob = blobs.get(inRepository(file) ?? '');
      if (blob === undefined) throw missing(file);
      if (!blob.isFile) throw new UnfitFile('it is not a file');
      if (blob.bytes > maxWrittenBytes) throw new UnfitFile('it is too large');
      return limit(() => git(top, ['cat-file', 'blob', blob.id]));
    },
  };
}

/** The path of a folder in its repository. */
async function placeOf(folder: string, top: string): Promise<string> {
  const relative = path.relative(top, await realpath(folder));
  if (relative.startsWith('..') || path.isAbsolute(relative))
    throw new CommandError(
      `${shownFile(folder)} is not in the git repository ${top}. Name a folder with the former files instead of a revision.`,
    );
  return relative.split(path.sep).join('/');
}

async function listed(top: string, commit: string, folder: string): Promise<ReadonlyMap<string, Blob>> {
  const args = [
    'ls-tree',
    '-r',
    '-z',
    '-l',
    '--full-tree',
    commit,
    ...(folder === '' ? [] : ['--', `${folder}/`]),
  ];
  const lines = (await git(top, args)).toString().split('\0');
  return new Map(
    lines.flatMap((line) => {
      const [, mode = '', id = '', bytes = '', name = ''] =
        /^(\d+) \w+ ([0-9a-f]+) +(\d+|-)\t([\s\S]*)$/.exec(line) ?? [];
      return name === ''
        ? []
        : [[name, { id, bytes: Number(bytes) || 0, isFile: mode.startsWith('100') }] as const];
    }),
  );
}

/** Fails as the file system does. */
function missing(file: string): Error {
  const code = 'ENOENT';
  return Object.assign(new Error(`no such file or directory: ${file}`), { code });
}
