import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../../src/app/engines/registry.ts';
import { launchGateway } from '../../../src/app/gateway/launch-gateway.ts';
import type { RunningGateway } from '../../../src/app/gateway/run-gateway.ts';
import { openEditing } from '../../../src/tools/endpoint-editing/open-editing.ts';
import { Repository } from '../origin/support/repository.ts';

const textOf = (sql: string, name = 'one', number = 1) => `/*
id: 00000000-0000-4000-8000-00000000000${number}
name: ${name}
*/
${sql}
`;
const source = JSON.stringify([
  { name: 'id', type: 'STRING' },
  { name: 'timestamp', type: 'TIMESTAMP' },
]);

let repository: Repository;
let folder = '';
let gateway: RunningGateway;
let served = '';

beforeAll(async () => {
  repository = new Repository();
  served = repository.push({
    'logs/schema/endpoints/one.sql': textOf('SELECT 1 AS n'),
    'logs/schema/endpoints/one.test.yaml': 'cases: []\n',
    'logs/schema/sources/visits.json': source,
  });
  // A short name: the path of a Unix socket below it has little room.
  folder = await mkdtemp(path.join(tmpdir(), 'gw-'));
  const config = readConfig({
    ...{ PORT: '0', API_KEY: 'a-key', DATA_DIR: path.join(folder, 'data'), SHUTDOWN_DELAY_MS: '0' },
    ...{ ENDPOINTS_FROM: `${repository.url}?path=logs/schema#main`, ENDPOINTS_PUSH_PREFIX: 'console/' },
  });
  gateway = await launchGateway(config, { log: { info() {}, warn() {}, error() {} }, openEditing });
});
afterAll(async () => {
  await gateway?.close();
  repository?.remove();
  await rm(folder, { recursive: true, force: true });
});

async function ask(address: string, body?: object, key = 'a-key') {
  const response = await fetch(`${gateway.url}${address}`, {
    headers: { 'X-API-KEY': key, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: response.status, answer: await response.json() };
}

const inBare = (...args: readonly string[]) => repository.git('-C', repository.bare, ...args);

test('the console reads a file of a sub folder, pushes it to a branch, and the served one stays as it is', async () => {
  const made = await ask('/api/keys', { name: 'alice', scopes: ['admin'] });
  const { key } = made.answer as { key: string };
  const read = await ask('/api/endpoint-files/one', undefined, key);
  expect(read.answer).toMatchObject({ file: 'logs/schema/endpoints/one.sql' });
  const { text: before, test: tests } = read.answer;
  const files = {
    text: textOf('SELECT 2 AS n'),
    before,
    test: { text: 'cases: [] #\n', before: tests.text },
  };
  const { status, answer } = await ask('/api/drafts/push', { name: 'one', ...files }, key);
  expect([status, answer]).toEqual([
    201,
    {
      branch: expect.stringMatching(/^console\/one-[0-9a-f]{8}$/),
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      files: ['logs/schema/endpoints/one.sql', 'logs/schema/endpoints/one.test.yaml'],
    },
  ]);
  const { branch, commit } = answer;
  expect(inBare('for-each-ref', '--format=%(refname) %(objectname)').split('\n')).toEqual([
    `refs/heads/${branch} ${commit}`,
    `refs/heads/main ${served}`,
  ]);
  expect(inBare('show', '--no-patch', '--format=%an %P %s', commit)).toBe(
    `alice ${served} Edit endpoint one`,
  );
  expect(`${inBare('show', `${commit}:logs/schema/endpoints/one.sql`)}\n`).toBe(files.text);
  expect((await ask('/api/endpoints/query/one')).answer).toEqual({ result: [{ n: 1 }] });
  const sql =
    "SELECT action, target, key, JSON_VALUE(details.branch) AS branch FROM gateway.changes WHERE action LIKE 'endpoint%'";
  await expect
    .poll(async () => (await ask('/api/sql', { sql })).answer, { timeout: 20_000, interval: 500 })
    .toEqual({ result: [{ action: 'endpoint.pushed', target: 'one', key: 'alice', branch }] });
});

test('a file that differs from the served commit is a conflict, and a text with errors is not pushed', async () => {
  const refs = inBare('for-each-ref');
  const before = textOf('SELECT 1 AS n');
  const stale = { name: 'one', text: textOf('SELECT 2 AS n'), before: textOf('SELECT 0 AS n') };
  expect(await ask('/api/drafts/push', stale)).toMatchObject({ status: 409, answer: { code: 'CONFLICT' } });
  const wrong = { name: 'one', text: textOf('SELECT nothing'), before };
  expect(await ask('/api/drafts/push', wrong)).toMatchObject({
    status: 400,
    answer: { error: expect.stringContaining('nothing') },
  });
  const taken = { name: 'two', text: textOf('SELECT 2 AS n', 'one', 2) };
  expect(await ask('/api/drafts/push', taken)).toMatchObject({
    status: 400,
    answer: { error: expect.stringContaining('Duplicate name') },
  });
  expect(inBare('for-each-ref')).toBe(refs);
});

test('several new endpoints at a time have a branch and one file each', async () => {
  const pushed = await Promise.all(
    [2, 3, 4].map((number) =>
      ask('/api/drafts/push', {
        name: `new-${number}`,
        text: textOf('SELECT 1 AS n', `new-${number}`, number),
      }),
    ),
  );
  for (const [at, { status, answer }] of pushed.entries()) {
    expect([status, answer.files]).toEqual([201, [`logs/schema/endpoints/new-${at + 2}.sql`]]);
    expect(inBare('rev-parse', `${answer.branch}^`)).toBe(served);
  }
});
