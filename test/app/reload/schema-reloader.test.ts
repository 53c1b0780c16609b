import { expect, it } from 'vitest';
import { type ReloadSteps, schemaReloader } from '../../../src/app/reload/schema-reloader.ts';
import { ProblemsError } from '../../../src/app/schema/load-schema.ts';
import type { Problem } from '../../../src/base/errors/problem.ts';
import type { Endpoint } from '../../../src/definitions/endpoints/endpoint.ts';
import { endpointChanges } from '../../../src/definitions/endpoints/endpoint-catalog.ts';
import { endpointWith } from '../../calls/executor/support/endpoint.ts';

const endpoint = (name: string, version = 'v1') => endpointWith({ id: `id of ${name}`, name, version });
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A reloader of made-up files, with what it said and did. */
function reloading(before: readonly Endpoint[]) {
  const done: string[] = [];
  const folder = {
    endpoints: [...before],
    sources: [] as string[],
    problems: [] as Problem[],
    state: { endpoints: 'e1', sources: 's1' },
  };
  let served: readonly Endpoint[] = before;
  const steps: ReloadSteps = {
    readFiles: async () => ({ ...folder.state }),
    reload: async () => {
      const changes = endpointChanges(served, folder.endpoints);
      const { endpoints } = changes;
      served = endpoints;
      done.push(`serves ${endpoints.map(({ name, version }) => `${name} ${version}`).join(', ')}`);
      const sources = folder.sources;
      folder.sources = [];
      return { schema: { changes, problems: folder.problems }, sources };
    },
    replan: async () => ({ ...(await steps.reload()), sources: [] }),
    invalidateChanged: async ({ changed, removed }) => {
      done.push(`forgets ${[...changed, ...removed].map(({ name }) => name).join(', ')}`);
    },
  };
  const output = {
    out: (text: string) => void done.push(`out: ${text}`),
    err: (text: string) => void done.push(`err: ${text}`),
  };
  const log = { warn: (text: string) => void done.push(`warn: ${text}`) };
  return { done, folder, steps, served: () => served, ...schemaReloader(steps, output, log, folder.state) };
}

it('says in a line what was added, changed and removed', async () => {
  const [a, b, c] = [endpoint('a'), endpoint('b'), endpoint('c')];
  const { folder, done, reload, served } = reloading([a, b, c]);
  folder.endpoints = [{ ...a }, endpoint('b', 'v2'), endpoint('d')];
  reload();
  await turn();
  expect(done).toEqual([
    'serves a v1, b v2, d v1',
    'out: Reloaded endpoints: added d; changed b; removed c.\n',
    'forgets b, c',
  ]);
  // What has not changed is the same object: whatever was made from it stays valid.
  expect(served()[0]).toBe(a);
});

it('is quiet when files changed and changed back, unless somebody asked', async () => {
  const { folder, done, reload, reloadIfChanged } = reloading([endpoint('a')]);
  reloadIfChanged();
  await turn();
  expect(done).toEqual([]);
  reload();
  await turn();
  expect(done).toContain('out: Reloaded endpoints: nothing has changed.\n');
  done.length = 0;
  folder.state = { endpoints: 'e2', sources: 's1' };
  reloadIfChanged();
  await turn();
  expect(done.filter((line) => line.startsWith('out:'))).toEqual([]);
});

it('says that a mistake is gone, even when nothing else has changed', async () => {
  const { folder, done, reloadIfChanged, steps } = reloading([endpoint('a')]);
  const { reload } = steps;
  steps.reload = async () => {
    throw new Error('a mistake');
  };
  folder.state = { endpoints: 'e2', sources: 's1' };
  reloadIfChanged();
  await turn();
  steps.reload = reload;
  folder.state = { endpoints: 'e1', sources: 's1' };
  reloadIfChanged();
  await turn();
  expect(done).toContain('out: Reloaded endpoints: nothing has changed.\n');
});

it('tells each mistake in a file, reloads the others, and says when the mistakes are gone', async () => {
  const { done, folder, reloadIfChanged } = reloading([endpoint('a'), endpoint('b')]);
  folder.endpoints = [endpoint('a'), endpoint('b', 'v2')];
  folder.problems = [{ file: 'a.sql', line: 1, column: 2, text: 'one' }];
  folder.state = { endpoints: 'e2', sources: 's1' };
  reloadIfChanged();
  await turn();
  expect(done).toEqual([
    'serves a v1, b v2',
    'err: a.sql:1:2: one\nWhat these files declare was not reloaded.\n',
    'out: Reloaded endpoints: changed b.\n',
    'forgets b',
  ]);
  folder.problems = [];
  folder.state = { endpoints: 'e3', sources: 's1' };
  reloadIfChanged();
  await turn();
  expect(done).toContain('out: Reloaded endpoints: nothing has changed.\n');
});

it('changes nothing when the folder can not be read, and tells each mistake', async () => {
  const { done, reload, steps } = reloading([endpoint('a')]);
  steps.reload = async () => {
    throw new ProblemsError([
      { file: 'a.sql', line: 1, column: 2, text: 'one' },
      { file: 'b.sql', line: 3, column: 4, text: 'two' },
    ]);
  };
  reload();
  await turn();
  expect(done).toEqual([
    'err: a.sql:1:2: one\nb.sql:3:4: two\nEndpoints and sources were not reloaded. The previous ones are still served.\n',
  ]);
});

it('reloads when only sources have changed, and says what', async () => {
  const { folder, done, reloadIfChanged } = reloading([endpoint('a')]);
  folder.state = { endpoints: 'e1', sources: 's2' };
  folder.sources = ['added b', 'changed c'];
  reloadIfChanged();
  await turn();
  expect(done).toEqual(['serves a v1', 'out: Reloaded sources: added b; changed c.\n', 'forgets ']);
});

it('plans the endpoints again when rows have added fields, but reads no changed files for that', async () => {
  const { folder, done, replan, reload } = reloading([endpoint('a')]);
  folder.endpoints = [endpoint('a', 'v2')];
  replan(['changed s (added n INT64)']);
  await turn();
  expect(done).toEqual([
    'out: Rows have added fields to sources: changed s (added n INT64).\n',
    'serves a v2',
    'out: Reloaded endpoints: changed a.\n',
    'forgets a',
  ]);
  done.length = 0;
  folder.state = { endpoints: 'e2', sources: 's1' };
  folder.endpoints = [endpoint('a', 'v3')];
  replan(['changed s (added m INT64)']);
  await turn();
  expect(done).toEqual([
    'out: Rows have added fields to sources: changed s (added m INT64).\n',
    'warn: Endpoint files have changed. Endpoints have the added fields after the next reload.',
  ]);
  reload();
  await turn();
  expect(done).toContain('serves a v3');
});

it('runs one reload at a time, and one more for all requests in the meantime', async () => {
  const { done, folder, reload, steps } = reloading([endpoint('a')]);
  const loaded = Promise.withResolvers<void>();
  const { reload: load } = steps;
  let loads = 0;
  steps.reload = async () => {
    loads++;
    const changes = await load();
    await loaded.promise;
    return changes;
  };
  reload();
  await turn();
  folder.endpoints = [endpoint('b')];
  for (let n = 0; n < 3; n++) reload();
  await turn();
  expect(loads).toBe(1);
  loaded.resolve();
  await turn();
  expect(loads).toBe(2);
  expect(done.filter((line) => line.startsWith('serves'))).toEqual(['serves a v1', 'serves b v1']);
});

it('closes after the reload that runs, and begins no other', async () => {
  const { done, reload, close, steps } = reloading([endpoint('a')]);
  const read = Promise.withResolvers<void>();
  const { readFiles } = steps;
  steps.readFiles = () => read.promise.then(readFiles);
  reload();
  reload();
  const closed = close().then(() => done.push('closed'));
  await turn();
  expect(done).toEqual([]);
  read.resolve();
  await closed;
  reload();
  await turn();
  expect(done.filter((line) => line === 'closed' || line.startsWith('serves'))).toEqual([
    'serves a v1',
    'closed',
  ]);
});
