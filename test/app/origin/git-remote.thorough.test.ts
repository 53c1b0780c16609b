import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gitRemote } from '../../../src/app/origin/git/git-remote.ts';
import { systemClock } from '../../../src/base/system/clock.ts';
import { type GitOrigin, parseOrigin } from '../../../src/definitions/origin/endpoints-origin.ts';
import { portOf } from '../../support/redis.ts';
import { Repository } from './support/repository.ts';

let repository: Repository;
let workFolder = '';
beforeEach(() => {
  repository = new Repository();
  workFolder = mkdtempSync(join(tmpdir(), 'origin-'));
});
afterEach(() => {
  // Temporary copies are gone, whatever happened.
  expect(readdirSync(workFolder)).toEqual([]);
  rmSync(workFolder, { recursive: true });
  repository.remove();
});

const never = new AbortController().signal;

function latest(text: string, known?: string, signal = never, token?: string) {
  const origin = parseOrigin(text) as GitOrigin;
  return gitRemote(origin, { token, workFolder, clock: systemClock }).latest(known, signal);
}

const paths = (version: Awaited<ReturnType<typeof latest>>) => version?.files.map(({ path }) => path).sort();

test('a branch, tags and a commit are fetched, each of its own time', async () => {
  const first = repository.push({ 'endpoints/one.sql': 'SELECT 1', 'README.md': 'about' });
  repository.inTree('tag', 'plain');
  repository.inTree('tag', '--annotate', '--message=tagged', 'v1');
  repository.inTree('push', '--quiet', repository.bare, '--tags');
  const second = repository.push({
    'endpoints/two.sql': 'SELECT 2',
    'sources/logs.json': '[]',
    'endpoints.lock': '{}',
  });
  const all = ['endpoints.lock', 'endpoints/one.sql', 'endpoints/two.sql', 'sources/logs.json'];
  for (const ref of ['', '#main', '#refs/heads/main', `#${second}`]) {
    const found = await latest(`${repository.url}${ref}`, first);
    expect([found?.version, paths(found)]).toEqual([second, all]);
  }
  for (const ref of ['#plain', '#v1', `#${first}`]) {
    const found = await latest(`${repository.url}${ref}`);
    expect([found?.version, paths(found)]).toEqual([first, ['endpoints/one.sql']]);
    expect(await latest(`${repository.url}${ref}`, first)).toBeUndefined();
  }
});

test('a folder of a repository is taken as the whole', async () => {
  repository.push({ 'logs/schema/endpoints/one.sql': 'SELECT 1', 'endpoints/other.sql': 'SELECT 2' });
  const found = await latest(`${repository.url}?path=logs/schema`);
  expect(paths(found)).toEqual(['endpoints/one.sql']);
  await expect(latest(`${repository.url}?path=logs`)).rejects.toThrow('has no folder endpoints in logs');
  await expect(latest(`${repository.url}?path=none`)).rejects.toThrow('the commit has no folder none');
});

test('what is not there is named', async () => {
  await expect(latest(repository.url)).rejects.toThrow('the repository has no commit yet');
  repository.push({ 'README.md': 'about' });
  await expect(latest(repository.url)).rejects.toThrow('has no folder endpoints at its top');
  await expect(latest(`${repository.url}#gone`)).rejects.toThrow('no branch or tag gone');
  await expect(latest(`git+file://${repository.folder}/none.git`)).rejects.toThrow(/git: .*none\.git/);
  const absent = '12'.repeat(20);
  await expect(latest(`${repository.url}#${absent}`)).rejects.toThrow(/git: .*not our ref/);
  repository.inTree('tag', 'main');
  repository.inTree('push', '--quiet', repository.bare, 'refs/tags/main');
  await expect(latest(`${repository.url}#main`)).rejects.toThrow(
    'main is a branch and a tag: write refs/heads/main or refs/tags/main',
  );
});

test('a link in a repository is not followed', async () => {
  repository.write({ 'endpoints/one.sql': 'SELECT 1' });
  symlinkSync('/etc/passwd', join(repository.tree, 'endpoints/two.sql'));
  repository.push();
  await expect(latest(repository.url)).rejects.toThrow('endpoints/two.sql is a link');
});

test('a stopped fetch ends git at once', async () => {
  repository.push({ 'endpoints/one.sql': 'SELECT 1' });
  const stop = new AbortController();
  // It accepts the connection, and never answers.
  const server = createServer(() => stop.abort()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  await expect(latest(`git+http://127.0.0.1:${port}/repo.git`, undefined, stop.signal)).rejects.toThrow(
    'it took too long, or the gateway stops',
  );
  server.closeAllConnections();
  server.close();
});

test('a redirect is not followed: it would get the credentials', async () => {
  const asked: string[] = [];
  const other = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const server = createServer((request, response) => {
    response.writeHead(302, { Location: `http://127.0.0.1:${portOf(other)}${request.url}` }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await expect(latest(`git+http://robot:secret@127.0.0.1:${portOf(server)}/repo.git`)).rejects.toThrow(
    /^git: /,
  );
  expect(asked).toEqual([]);
  server.close();
  other.close();
});

test('git sends the token, never asks for one, and its messages have none', async () => {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  for (const [user, token] of [
    ['robot:secret@', undefined],
    ['robot@', 'secret'],
    ['', 'secret'],
  ] as const) {
    const failure = await latest(
      `git+http://${user}127.0.0.1:${port}/repo.git`,
      undefined,
      never,
      token,
    ).catch((error: Error) => error.message);
    expect(failure).toMatch(/^git: .*(?:could not read Username|Authentication failed)/);
    expect(failure).not.toContain('secret');
  }
  const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
  expect([...new Set(seen)]).toEqual([basic('robot:secret'), basic('x-access-token:secret')]);
  server.close();
});
