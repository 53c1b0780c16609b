import { join } from 'node:path';
import { readWrittenFile } from '../../../base/system/read-written-file.ts';
import type { GitOrigin } from '../../../definitions/origin/endpoints-origin.ts';
import { OriginError } from '../tree/origin-error.ts';
import { readTar } from '../tree/read-tar.ts';
import type { Remote } from '../tree/remote.ts';
import { treeFolders, treeLimits, treeTops } from '../tree/tree-file.ts';
import { type GitParts, type GitRepository, inRepository } from './git-repository.ts';
import { pushBranch } from './push-branch.ts';

const commitForm = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** A git repository. Each fetch and each push works in an empty copy with one commit without its history, which is removed again. */
export function gitRemote(origin: GitOrigin, parts: GitParts): Remote {
  return {
    latest: (known, signal) =>
      inRepository(origin, parts, signal, async (repository) => {
        const found = await findCommit(repository, origin);
        if (found.commit === known) return undefined;
        // The branch may have moved since.
        const commit = await repository.fetch(found.name);
        return { version: commit, files: await filesOf(repository, `${commit}:${origin.folder}`) };
      }),
    push: (change, base, signal) =>
      inRepository(origin, parts, signal, (repository) => pushBranch(repository, origin, base, change)),
  };
}

/** The commit that the origin names, and what to fetch to have it. */
async function findCommit(
  repository: GitRepository,
  { url, ref }: GitOrigin,
): Promise<{ readonly commit: string; readonly name: string }> {
  if (ref !== undefined && commitForm.test(ref)) return { commit: ref, name: ref };
  const names = namesOf(ref);
  const listed = await repository.run(
    'ls-remote',
    '--',
    url,
    ...names.flatMap((name) => [name, `${name}^{}`]),
  );
  const commits = new Map(
    listed.split('\n').map((line): [string, string] => {
      const [commit = '', name = ''] = line.split('\t');
      return [name, commit];
    }),
  );
  // Git also lists longer names that end in these.
  const found = names.filter((name) => commits.has(name));
  const [name] = found;
  if (name === undefined) throw new OriginError('unusable', missing(ref));
  if (found.length > 1)
    throw new OriginError('unusable', `${ref} is a branch and a tag: write ${found.join(' or ')}`);
  // Of a tag with a message, the commit that it is for.
  return { commit: commits.get(`${name}^{}`) ?? commits.get(name) ?? '', name };
}

function namesOf(ref: string | undefined): readonly string[] {
  if (ref === undefined) return ['HEAD'];
  return ref.startsWith('refs/') ? [ref] : [`refs/heads/${ref}`, `refs/tags/${ref}`];
}

function missing(ref: string | undefined): string {
  if (ref === undefined) return 'the repository has no commit yet';
  return `the repository has no branch or tag ${ref}`;
}

async function filesOf(repository: GitRepository, tree: string) {
  const listed = await repository.run('ls-tree', '-z', '--name-only', tree).catch((error: OriginError) => {
    throw new OriginError('unusable', `the commit has no folder ${tree.split(':')[1]}`, error);
  });
  const names = listed.split('\0').filter((name) => treeTops.includes(name));
  if (!names.includes(treeFolders.endpoints)) {
    const where = tree.endsWith(':')
      ? 'at its top: ?path=… names another folder'
      : `in ${tree.split(':')[1]}`;
    throw new OriginError('unusable', `the commit has no folder ${treeFolders.endpoints} ${where}`);
  }
  const file = join(repository.folder, 'tree.tar');
  await repository.run('archive', '--format=tar', `--output=${file}`, tree, '--', ...names);
  return readTar(await readWrittenFile(file, treeLimits.bytes));
}
