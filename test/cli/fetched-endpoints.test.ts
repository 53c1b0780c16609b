import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Gateway } from '../acceptance/support/gateway.ts';
import { eventually } from '../acceptance/support/processes.ts';
import { Workspace } from '../acceptance/support/workspace.ts';
import { portOf } from '../support/redis.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.create();
});
afterAll(async () => {
  await workspace?.remove();
});

const endpointFile = (sql: string) => `/*
id: 00000000-0000-4000-8000-000000000001
name: one
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

test('a packed and signed tarball is served, and a reload takes the next one', async () => {
  await workspace.write('sources/visits.json', source);
  await workspace.write('endpoints/one.sql', endpointFile('SELECT 1 AS n'));
  const { privateKey } = generateKeyPairSync('ed25519');
  const key = await workspace.write('key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const pack = () => workspace.run(['pack', '--output', workspace.path('e.tar'), '--sign', key]);
  const { stdout } = await pack();
  const [, publicKey = ''] = /^ENDPOINTS_PUBLIC_KEY=(.*)$/m.exec(stdout) ?? [];
  const bucket = createServer(async (request, response) => {
    response.end(await readFile(workspace.path(request.url?.slice(1) ?? '')).catch(() => ''));
  });
  await once(bucket.listen(0, '127.0.0.1'), 'listening');
  const gateway = await Gateway.serve(workspace, {
    ...noFolders,
    ENDPOINTS_FROM: `http://127.0.0.1:${portOf(bucket)}/e.tar`,
    ENDPOINTS_PUBLIC_KEY: publicKey,
    ENDPOINTS_POLL_SECONDS: '0',
  });
  expect(await gateway.rows('one')).toEqual([{ n: 1 }]);

  await workspace.write('endpoints/one.sql', endpointFile('SELECT 2 AS n'));
  await pack();
  process.kill(gateway.command.pid, 'SIGHUP');
  await eventually('it reloads', () => gateway.command.stdout.includes('Reloaded endpoints: changed one.'));
  expect(await gateway.rows('one')).toEqual([{ n: 2 }]);

  // Someone who can write to the bucket has no key.
  await workspace.write('e.tar', 'SELECT 3');
  process.kill(gateway.command.pid, 'SIGHUP');
  await eventually('it refuses', () =>
    gateway.command.stderr.includes('is not signed by ENDPOINTS_PUBLIC_KEY'),
  );
  expect(await gateway.rows('one')).toEqual([{ n: 2 }]);
  await gateway.stop();
  bucket.close();
});

test('folders that are fetched are not watched', async () => {
  const outcome = await workspace.run(['serve', '--watch'], {
    ...noFolders,
    ENDPOINTS_FROM: 'git+https://host/repo.git',
  });
  expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining('--watch is for folders') });
});
