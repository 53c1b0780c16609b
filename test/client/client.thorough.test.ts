import { afterAll, beforeAll, expect, test } from 'vitest';
import { edgeRow } from '../acceptance/support/edge-rows.ts';
import { Gateway } from '../acceptance/support/gateway.ts';
import { Workspace } from '../acceptance/support/workspace.ts';
import { activity, newestPaths } from './activity.ts';
import { execute, type GatewayAddress, OperationError } from './execute.ts';
import { endpointNames, newestLogs } from './operations.ts';

let workspace: Workspace;
let gateway: Gateway;
let address: GatewayAddress;

const project = 'abcdefghijklmnopqrst';
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  const rows = await workspace.writeRows('rows.ndjson', [
    edgeRow(minutesAgo(30), project, '/rest/v1/todos', '/auth/v1/token'),
    edgeRow(minutesAgo(20), project, '/rest/v1/users'),
    edgeRow(minutesAgo(20), 'another', '/rest/v1/others'),
  ]);
  expect(await workspace.run(['import', 'edge_logs', rows])).toMatchObject({ code: 0 });
  gateway = await Gateway.serve(workspace);
  address = { url: gateway.url, key: workspace.environment.API_KEY ?? '' };
});
afterAll(async () => {
  await gateway?.stop();
  await workspace?.remove();
});

test('the client reads counts', async () => {
  const buckets = await activity(address, project);
  expect(buckets.map(({ requests }) => requests)).toEqual([2n, 1n]);
  for (const { bucket } of buckets) expect(bucket).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00$/);
});

test('the client reads rows of tables, newest first', async () => {
  expect(await newestPaths(address, project, 5)).toEqual([
    '/rest/v1/users',
    '/rest/v1/todos',
    '/auth/v1/token',
  ]);
  expect(await newestPaths(address, project, 1)).toEqual(['/rest/v1/users']);
});

test('the client runs an operation without variables', async () => {
  const { endpoints } = await execute(address, endpointNames);
  expect(endpoints.map(({ name, field }) => [name, field])).toEqual([
    ['logs.all', 'logsAll'],
    ['usage.api-counts', 'usageApiCounts'],
  ]);
});

test('the client learns what went wrong, and with which code', async () => {
  const start = 'yesterday';
  const refused = execute(address, newestLogs, { project, start, limit: 0 });
  await expect(refused).rejects.toBeInstanceOf(OperationError);
  await expect(refused).rejects.toThrow(/BAD_USER_INPUT/);
  await expect(execute({ ...address, key: 'wrong' }, endpointNames)).rejects.toThrow(/UNAUTHENTICATED/);
});
