import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { edgeRow } from './support/edge-rows.ts';
import { Gateway } from './support/gateway.ts';
import { Workspace } from './support/workspace.ts';

let workspace: Workspace;
let gateway: Gateway;
let umask: number;

beforeAll(async () => {
  // The gateway is started with it.
  umask = process.umask(0);
  workspace = await Workspace.withShippedSchema();
  await mkdir(workspace.path('data'));
  await chmod(workspace.path('data'), 0o755);
  gateway = await Gateway.serve(workspace);
});
afterAll(async () => {
  process.umask(umask);
  await gateway?.stop();
  await workspace?.remove();
});

async function modes(folder: string): Promise<Record<string, string>> {
  const names = await readdir(workspace.path(folder));
  const found = names.map(async (name) => {
    const { mode } = await stat(workspace.path(folder, name));
    return [name, (mode & 0o777).toString(8)] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

test('everything in the data folder is for its owner only, whatever the umask and the mode of the folder', async () => {
  const row = edgeRow('2025-01-31T10:00:00Z', 'a', '/rest/v1');
  const file = await workspace.write('rows.ndjson', `${JSON.stringify(row)}\nbad\n`);
  expect((await workspace.run(['import', 'edge_logs', file, '--skip-bad-rows'])).code).toBe(0);
  expect((await workspace.run(['keys', 'create', '--name', 'a'])).code).toBe(0);
  expect(await modes('data')).toEqual({
    'keys.json': '600',
    'server.json': '600',
    'store.duckdb': '600',
    'store.duckdb.wal': '600',
  });
  expect((await modes('.'))['rows.ndjson.rejects.ndjson']).toBe('600');
});

test('a data folder that others have access to is warned of at the start, with what to do', () => {
  expect(gateway.command.stderr).toContain(`(mode 0755). Run: chmod 700 '${workspace.path('data')}'`);
});

test('files that are meant for others, too, have the mode that the user wants', async () => {
  expect((await workspace.run(['schema', '--output', workspace.path('gateway.graphql')])).code).toBe(0);
  expect((await modes('.'))['gateway.graphql']).toBe('666');
});
