import { writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { GatewayError } from '../../../base/errors/errors.ts';
import type { GitOrigin } from '../../../definitions/origin/endpoints-origin.ts';
import type { BranchChange, ChangedFile, PushedChange } from '../tree/remote.ts';
import type { GitRepository } from './git-repository.ts';

/** Who makes the commits of all authors. Keys have no addresses: nobody can have this one (RFC 2606). */
const [committer, address] = ['endpoint-gateway', 'noreply@endpoint-gateway.invalid'];
/** The longest name of an author, in code points. */
const maxAuthor = 100;

/** A file of a commit, and what is to be there. */
interface BlobChange {
  /** In the repository. */
  readonly path: string;
  readonly mode: string;
  readonly object: string;
}

/**
 * Pushes one commit with a change to a new branch. What callers have written is only in files that git reads, and after `=`: never
 * where git expects an option or a name. Nothing is forced: a branch that there is already is not moved back.
 *
 * @param base the commit that it is made on
 * @throws as `Remote.push`
 */
export async function pushBranch(
  repository: GitRepository,
  { url, folder }: Pick<GitOrigin, 'url' | 'folder'>,
  base: string,
  { branch, files, author, message }: BranchChange,
): Promise<PushedChange> {
  await repository.fetch(base);
  const changes = await changesOf(repository, base, folder, files);
  if (changes.length === 0)
    throw new GatewayError('BAD_USER_INPUT', 'Nothing is changed: the served commit has these texts.');
  await repository.run('read-tree', base);
  const entries = changes.map(({ path, mode, object }) => `${mode},${object},${path}`);
  await repository.run('update-index', '--add', ...entries.flatMap((entry) => ['--cacheinfo', entry]));
  const tree = (await repository.run('write-tree')).trim();
  const file = await written(repository, 'message', `${message}\n`);
  const people = [
    `author.name=${authorName(author)}`,
    ...[`author.email=${address}`, `committer.name=${committer}`, `committer.email=${address}`],
  ];
  const commit = await repository.run(
    ...people.flatMap((setting) => ['-c', setting]),
    ...['commit-tree', '-p', base, '-F', file, tree],
  );
  await repository.run(
    ...['push', '--quiet', '--no-verify', '--no-follow-tags', '--recurse-submodules=no'],
    ...['--', url, `${commit.trim()}:refs/heads/${branch}`],
  );
  return { commit: commit.trim(), files: changes.map(({ path }) => path) };
}

/**
 * The files that differ from those of a commit.
 *
 * @throws GatewayError CONFLICT for a file that isn't there as its author has read it
 */
async function changesOf(
  repository: GitRepository,
  base: string,
  folder: string,
  files: readonly ChangedFile[],
): Promise<readonly BlobChange[]> {
  const placed = files.map((file) => ({ ...file, path: posix.join(folder, file.path) }));
  const paths = placed.map(({ path }) => path);
  const listed = await repository.run('ls-tree', '-z', base, '--', ...paths);
  const entries = new Map(listed.split('\0').map(entryOf));
  const objectOf = await objectsOf(
    repository,
    placed.flatMap(({ text, before = text }) => [text, before]),
  );
  return placed.flatMap(({ path, text, before }) => {
    const there = entries.get(path);
    if (there?.object !== (before === undefined ? undefined : objectOf(before))) throw conflict(path, before);
    const object = objectOf(text);
    return object === there?.object ? [] : [{ path, mode: there?.mode ?? '100644', object }];
  });
}

/** A line of `ls-tree`: `<mode> <type> <object>`, a tab, and the path. */
function entryOf(line: string): [path: string, { readonly mode: string; readonly object: string }] {
  const tab = line.indexOf('\t');
  const [mode = '', , object = ''] = line.slice(0, tab).split(' ');
  return [line.slice(tab + 1), { mode, object }];
}

/** Which object each of these texts is, byte by byte. */
async function objectsOf(repository: GitRepository, texts: readonly string[]) {
  const files: string[] = [];
  for (const [number, text] of texts.entries()) files.push(await written(repository, `text-${number}`, text));
  const listed = await repository.run('hash-object', '-w', '--no-filters', '--', ...files);
  const objects = new Map(listed.split('\n').map((object, number) => [texts[number], object]));
  return (text: string) => objects.get(text) ?? '';
}

/** The path of a file with this text, beside those of git. */
async function written({ folder }: GitRepository, name: string, text: string): Promise<string> {
  const file = join(folder, `${name}.txt`);
  await writeFile(file, text);
  return file;
}

function conflict(path: string, before: string | undefined): GatewayError {
  const message =
    before === undefined
      ? `The served commit has a file ${path} already. Choose another name.`
      : `${path} of the served commit has another text than the one that was read. Open it again, and change what is there now.`;
  return new GatewayError('CONFLICT', message);
}

/** A name as git takes one: a line without what encloses addresses, and without what git takes away at its ends. */
function authorName(name: string): string {
  const line = name.replace(/[\s\p{C}<>]+/gu, ' ');
  const bare = line.replace(/^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g, '');
  return [...bare].slice(0, maxAuthor).join('') || committer;
}
