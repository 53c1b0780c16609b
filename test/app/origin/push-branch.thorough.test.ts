import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gitRemote } from '../../../src/app/origin/git/git-remote.ts';
import type { BranchChange, ChangedFile } from '../../../src/app/origin/tree/remote.ts';
import { systemClock } from '../../../src/base/system/clock.ts';
import { type GitOrigin, parseOrigin } from '../../../src/definitions/origin/endpoints-origin.ts';
import { portOf } from '../../support/redis.ts';
import { HttpRepository } from './support/http-repository.ts';
import { Repository } from './support/repository.ts';

let repository: Repository;
let workFolder = '';
let served = '';
beforeEach(() => {
  repository = new Repository();
  workFolder = mkdtempSync(join(tmpdir(), 'push-'));
  served = repository.push({ 'endpoints/one.sql': 'SELECT 1', 'endpoints/two.sql': 'SELECT 2', README: 'r' });
});
afterEach(() => {
  // Temporary copies are gone, whatever happened.
  expect(readdirSync(workFolder)).toEqual([]);
  rmSync(workFolder, { recursive: true });
  repository.remove();
});

const never = new AbortController().signal;
const edited: ChangedFile = { path: 'endpoints/one.sql', text: 'SELECT 10', before: 'SELECT 1' };
const plain: BranchChange = {
  branch: 'console/one-1',
  files: [edited],
  author: 'alice',
  message: 'Edit endpoint one',
};

interface Pushing {
  readonly from?: string;
  readonly base?: string;
  readonly signal?: AbortSignal;
  readonly token?: string;
}

function push(
  change: Partial<BranchChange> = {},
  { from = repository.url, base = served, signal = never, token }: Pushing = {},
) {
  const remote = gitRemote(parseOrigin(from) as GitOrigin, { token, workFolder, clock: systemClock });
  return remote.push?.({ ...plain, ...change }, base, signal) ?? Promise.reject(new Error('it can not push'));
}

const inBare = (...args: readonly string[]) => repository.git('-C', repository.bare, ...args);
/** What a commit changes: `M endpoints/one.sql`. */
const changesOf = (commit: string) =>
  inBare('diff-tree', '-r', '--name-status', '--no-commit-id', commit).replaceAll('\t', ' ').split('\n');
const refs = () => inBare('for-each-ref', '--format=%(refname) %(objectname)').split('\n');

/** Lets the repository refuse what is pushed. */
function refuseBy(script: string): void {
  const hook = join(repository.bare, 'hooks/pre-receive');
  writeFileSync(hook, `#!/bin/sh\n${script}\n`);
  chmodSync(hook, 0o755);
}

test('a change is one commit on top of the served one, on a branch of its own, with nothing else', async () => {
  const newer = repository.push({ 'endpoints/two.sql': 'SELECT 3' });
  const added = { path: 'endpoints/one.test.yaml', text: 'cases: []\n' };
  const { commit, files } = await push({ files: [edited, added] });
  expect(files).toEqual(['endpoints/one.sql', 'endpoints/one.test.yaml']);
  expect(refs()).toEqual([`refs/heads/console/one-1 ${commit}`, `refs/heads/main ${newer}`]);
  expect(inBare('rev-list', '--parents', '--max-count=1', commit)).toBe(`${commit} ${served}`);
  expect(changesOf(commit)).toEqual(['M endpoints/one.sql', 'A endpoints/one.test.yaml']);
  expect(inBare('show', `${commit}:endpoints/one.sql`)).toBe('SELECT 10');
  expect(inBare('show', '--no-patch', '--format=%an|%ae|%cn|%B', commit)).toBe(
    'alice|noreply@endpoint-gateway.invalid|endpoint-gateway|Edit endpoint one',
  );
  expect(inBare('fsck', '--strict')).toBe('');
});

test('in a folder of the repository, and only what has changed, with the rights that files have', async () => {
  repository.write({ 'a/schema/endpoints/x.sql': 'SELECT 1', 'a/schema/endpoints/x.test.yaml': 'cases: []' });
  chmodSync(join(repository.tree, 'a/schema/endpoints/x.test.yaml'), 0o755);
  const base = repository.push();
  const files = [
    { path: 'endpoints/x.sql', text: 'SELECT 1', before: 'SELECT 1' },
    { path: 'endpoints/x.test.yaml', text: 'cases: [{}]', before: 'cases: []' },
  ];
  const pushed = await push({ files }, { from: `${repository.url}?path=a/schema`, base });
  expect(pushed.files).toEqual(['a/schema/endpoints/x.test.yaml']);
  expect(changesOf(pushed.commit)).toEqual(['M a/schema/endpoints/x.test.yaml']);
  expect(inBare('ls-tree', pushed.commit, 'a/schema/endpoints/x.test.yaml')).toMatch(/^100755 /);
});

test('several at a time have a branch each', async () => {
  const branches = Array.from({ length: 3 }, (_, number) => `console/one-${number}`);
  const pushed = await Promise.all(
    branches.map((branch) => push({ branch, files: [{ ...edited, text: branch }] })),
  );
  expect(refs().toSorted()).toEqual(
    [
      ...pushed.map(({ commit }, number) => `refs/heads/console/one-${number} ${commit}`),
      `refs/heads/main ${served}`,
    ].toSorted(),
  );
});

test('a file that is not as it was read is a conflict, and nothing is pushed', async () => {
  const newer = repository.push({ 'endpoints/one.sql': 'SELECT 5' });
  const changed = 'has another text than the one that was read';
  const cases: readonly [Partial<ChangedFile>, string][] = [
    [{ before: 'SELECT 0' }, changed],
    [{ before: 'SELECT 1\n' }, changed],
    // It was read of a commit that is not served yet.
    [{ before: 'SELECT 5' }, changed],
    [{ path: 'endpoints/none.sql' }, changed],
    [{ before: undefined }, 'has a file endpoints/one.sql already'],
    [{ path: 'endpoints', before: undefined }, 'has a file endpoints already'],
  ];
  for (const [file, reason] of cases)
    await expect(push({ files: [{ ...edited, ...file }] })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(reason),
    });
  const second = { path: 'endpoints/two.sql', text: 'SELECT 4' };
  await expect(push({ files: [edited, second] })).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(refs()).toEqual([`refs/heads/main ${newer}`]);
});

test('texts that are there already are no change', async () => {
  await expect(push({ files: [{ ...edited, text: 'SELECT 1' }] })).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
    message: expect.stringContaining('Nothing is changed'),
  });
  expect(refs()).toEqual([`refs/heads/main ${served}`]);
});

test('names of authors and messages are nothing else, whatever is in them', async () => {
  const cases = [
    ['Mallory\nparent 0000', 'Mallory parent 0000', '--amend'],
    ['a <root@example.com> 1 +0000', 'a root@example.com 1 +0000', '-m x'],
    ['--upload-pack=touch', '--upload-pack=touch', '# no comment'],
    ['=;"\n.', '=', '../../x'],
    ['...', 'endpoint-gateway', '$(touch /tmp/x) `id`'],
    ['Zoë \u202eevil', 'Zoë evil', 'Ä\u{1f600}'],
  ] as const;
  const pushed = await Promise.all(
    cases.map(([author, , message], number) => push({ author, message, branch: `b-${number}` })),
  );
  const seen = pushed.map(({ commit }) => inBare('show', '--no-patch', '--format=%an|%ae|%cn|%P|%B', commit));
  expect(seen).toEqual(
    cases.map(
      ([, author, message]) =>
        `${author}|noreply@endpoint-gateway.invalid|endpoint-gateway|${served}|${message}`,
    ),
  );
});

test('characters that git has patterns of are names of files as others', async () => {
  const base = repository.push({ 'endpoints/[o]ne*.sql': 'SELECT 1', 'endpoints/:!x,y.sql': 'SELECT 1' });
  const paths = ['endpoints/[o]ne*.sql', 'endpoints/:!x,y.sql'];
  const { commit } = await push({ files: paths.map((path) => ({ ...edited, path })) }, { base });
  expect(changesOf(commit).toSorted()).toEqual(paths.map((path) => `M ${path}`).toSorted());
});

test('a branch that there is already is not moved back', async () => {
  await push();
  const before = refs();
  await expect(push({ files: [{ ...edited, text: 'SELECT 11' }] })).rejects.toThrow(/rejected|fetch first/);
  expect(refs()).toEqual(before);
});

test('a repository that refuses the branch says why', async () => {
  refuseBy('echo "env: no endpoints on Fridays" >&2; exit 1');
  await expect(push()).rejects.toThrow(/^git: .*env: no endpoints on Fridays.*pre-receive hook declined/);
  expect(refs()).toEqual([`refs/heads/main ${served}`]);
});

test('what is not there is named', async () => {
  const base = '12'.repeat(20);
  await expect(push({}, { base })).rejects.toThrow(/git: .*not our ref/);
  const from = `git+file://${repository.folder}/none.git`;
  await expect(push({}, { from })).rejects.toThrow(/git: .*none\.git/);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a push that takes too long is ended, with all that git has started', async () => {
  refuseBy('echo $$ > pid; mv pid started; exec sleep 600');
  const stop = new AbortController();
  const pushing = push({}, { signal: stop.signal }).catch((error: Error) => error);
  await expect.poll(() => readdirSync(repository.bare)).toContain('started');
  stop.abort();
  expect(await pushing).toMatchObject({
    message: expect.stringContaining('it took too long, or the gateway stops'),
  });
  const hook = Number(readFileSync(join(repository.bare, 'started'), 'utf8'));
  await expect.poll(() => isRunning(hook)).toBe(false);
  expect(refs()).toEqual([`refs/heads/main ${served}`]);
  const unheard = new AbortController();
  const server = createServer(() => unheard.abort()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const from = `git+http://127.0.0.1:${portOf(server)}/repo.git`;
  await expect(push({}, { from, signal: unheard.signal })).rejects.toThrow('it took too long');
  server.closeAllConnections();
  server.close();
});

test('credentials may be for reading only: the token is sent, and the refusal has none of it', async () => {
  await using http = await HttpRepository.over(repository);
  const from = http.url('robot');
  const { commit } = await push({}, { from, token: 'pass-word' });
  expect(refs()).toContain(`refs/heads/console/one-1 ${commit}`);
  http.forbidsPush = true;
  const refused = await push({ branch: 'console/one-2' }, { from, token: 'pass-word' }).catch(
    (error: Error) => error.message,
  );
  expect(refused).toMatch(/^git: .*returned error: 403/);
  expect(refused).not.toContain('pass-word');
  expect([...http.authorizations]).toEqual([`Basic ${Buffer.from('robot:pass-word').toString('base64')}`]);
  expect(refs().join()).not.toContain('one-2');
});
