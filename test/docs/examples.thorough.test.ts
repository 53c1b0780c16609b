import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { edgeRow } from '../acceptance/support/edge-rows.ts';
import { Gateway } from '../acceptance/support/gateway.ts';
import { Workspace } from '../acceptance/support/workspace.ts';
import { blocksOf } from './markdown.ts';

let workspace: Workspace;
let gateway: Gateway;

beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  const anHourAgo = new Date(Date.now() - 3_600_000);
  const rows = [edgeRow(anHourAgo, 'fjrqomtzlwkgbxhvnuea', '/rest/v1/todos')];
  await workspace.run(['import', 'edge_logs', await workspace.writeRows('edge.ndjson', rows)]);
  gateway = await Gateway.serve(workspace);
});
afterAll(async () => {
  await gateway?.stop();
  await workspace?.remove();
});

test('the three steps of docs/graphql.md make a typed client that runs', async () => {
  const [codegen = '', client = ''] = await blocksOf('docs/graphql.md', 'ts');
  const folder = workspace.path('tmp');
  await workspace.write('tmp/codegen.ts', codegen);
  await workspace.write('tmp/client.ts', client);
  await workspace.write('tmp/package.json', '{"type": "module"}');
  const tsconfig = { extends: path.resolve('tsconfig.json'), include: ['client.ts', 'generated'] };
  await workspace.write('tmp/tsconfig.json', JSON.stringify(tsconfig));
  await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  const schema = await workspace.run(['schema', '--output', path.join(folder, 'gateway.graphql')]);
  expect(schema).toMatchObject({ code: 0 });
  const node = path.resolve('node_modules/.bin/node');
  const run = async (...args: string[]) => {
    const env = { ...process.env, GATEWAY_URL: gateway.url, GATEWAY_KEY: 'a-key' };
    return promisify(execFile)(node, args, { cwd: folder, env });
  };
  await run('node_modules/.bin/graphql-codegen', '--config', 'codegen.ts');
  await promisify(execFile)(path.resolve('node_modules/.bin/tsc'), ['--project', folder]);
  expect((await run('client.ts')).stdout).toMatch(/^\d{4}-\d\d-\d\dT00:00:00 1n\n$/);
});
