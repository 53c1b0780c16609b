import { rename } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Gateway } from '../acceptance/support/gateway.ts';
import { Workspace } from '../acceptance/support/workspace.ts';
import { Repository } from '../app/origin/support/repository.ts';

let workspace: Workspace;
let repository: Repository;
beforeAll(async () => {
  workspace = await Workspace.create();
  repository = new Repository();
});
afterAll(async () => {
  await workspace?.remove();
  repository?.remove();
});

const endpointFile = (sql: string, name = 'one', number = 1) => `/*
id: 00000000-0000-4000-8000-00000000000${number}
name: ${name}
*/
${sql}
`;
const source = JSON.stringify([
  { name: 'id', type: 'STRING' },
  { name: 'timestamp', type: 'TIMESTAMP' },
  { name: 'path', type: 'STRING' },
]);

/** Folders are those of ENDPOINTS_FROM. */
const noFolders = { ENDPOINTS_DIR: '', SOURCES_DIR: '' };

const health = async (gateway: Gateway) => JSON.parse((await gateway.call('/readyz')).body);

test('replicas follow a branch: all of a commit or nothing, and without the repository what they have', async () => {
  const first = repository.push({
    'schema/endpoints/one.sql': endpointFile('SELECT 1 AS n, COUNT(*) AS c FROM logs.visits'),
    'schema/sources/visits.json': source,
  });
  const settings = {
    ...noFolders,
    ENDPOINTS_FROM: `${repository.url}?path=schema#main`,
    ENDPOINTS_TOKEN: 'pass-word',
  };
  const replicas = await Promise.all([
    Gateway.serve(workspace, { ...settings, DATA_DIR: workspace.path('a'), ENDPOINTS_POLL_SECONDS: '1' }),
    Gateway.serve(workspace, { ...settings, DATA_DIR: workspace.path('b'), ENDPOINTS_POLL_SECONDS: '1' }),
  ]);
  const [replica] = replicas;
  for (const each of replicas) {
    expect(await health(each)).toEqual({ status: 'ok', endpointsVersion: first });
    expect(await each.rows('one')).toEqual([{ n: 1, c: 0 }]);
  }

  // Endpoints of the new commit read what only its sources have.
  const second = repository.push({
    'schema/endpoints/one.sql': endpointFile('SELECT 2 AS n, COUNT(visitor) AS c FROM logs.visits'),
    'schema/endpoints/two.sql': endpointFile('SELECT 2 AS n FROM logs.visitors', 'two', 2),
    'schema/sources/visits.json': source.replace('path', 'visitor'),
    'schema/sources/visitors.json': source,
  });
  for (const each of replicas) {
    await expect.poll(async () => (await health(each)).endpointsVersion).toBe(second);
    expect(await each.rows('one')).toEqual([{ n: 2, c: 0 }]);
    expect(await each.rows('two')).toEqual([]);
  }

  repository.push({ 'schema/endpoints/one.sql': endpointFile('SELECT nothing') });
  await expect
    .poll(() => health(replica as Gateway))
    .toMatchObject({
      ...{
        status: 'degraded',
        endpointsVersion: second,
        endpointsFrom: expect.stringContaining("can't be used"),
      },
    });
  const operations = JSON.parse((await replica?.call('/api/operations'))?.body ?? '');
  expect(operations.endpointsFrom).toMatchObject({
    version: second,
    failure: expect.stringContaining('one.sql:5:8'),
  });
  expect((await replica?.call('/metrics'))?.body).toContain(
    `gateway_endpoints_version_info{version="${second}"} 1\n`,
  );
  expect(await replica?.rows('one')).toEqual([{ n: 2, c: 0 }]);

  await Promise.all(replicas.map((each) => each.stop()));
  await rename(repository.bare, `${repository.bare}.away`);
  const again = await Gateway.serve(workspace, { ...settings, DATA_DIR: workspace.path('a') });
  expect(await health(again)).toMatchObject({ status: 'degraded', endpointsVersion: second });
  expect(await again.rows('two')).toEqual([]);
  const without = await workspace.run(['serve'], { ...settings, DATA_DIR: workspace.path('c') });
  expect(without.code).toBe(1);
  expect(without.stderr).toContain('ENDPOINTS_FROM: git: ');
  await again.stop();
  for (const { command } of [...replicas, again]) {
    expect(`${command.stdout}${command.stderr}`).not.toContain('pass-word');
  }
  expect(without.stderr).not.toContain('pass-word');
});
