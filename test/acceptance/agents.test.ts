import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connected, overStdio } from './support/agent.ts';
import { edgeRow } from './support/edge-rows.ts';
import { Gateway } from './support/gateway.ts';
import { Workspace } from './support/workspace.ts';

let workspace: Workspace;

beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  const rows = [
    edgeRow('2025-01-01T00:00:01Z', 'own', '/rest/v1', '/auth/v1'),
    edgeRow('2025-01-01T00:00:02Z', 'own', '/rest/v1'),
    edgeRow('2025-01-01T00:00:03Z', 'other', '/secret'),
  ];
  const file = await workspace.writeRows('e', rows);
  expect((await workspace.run(['import', 'edge_logs', file])).stderr).toBe('');
});
afterAll(() => workspace?.remove());

const sql = 'SELECT event_message FROM edge_logs ORDER BY timestamp';

test('an agent reads the store over standard input and output', async () => {
  const { client, stderr } = await overStdio(workspace);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual([
    'gatewayTables',
    'gatewayTablesQuery',
    'logsAll',
    'logsAllQuery',
    'usageApiCounts',
    'usageApiCountsQuery',
  ]);
  const stored = await client.callTool({ name: 'logsAll', arguments: { project: 'own' } });
  expect(stored).toMatchObject({ content: [{ text: '2 rows.' }, {}], structuredContent: { total_rows: 2 } });
  const adHoc = await client.callTool({
    name: 'logsAllQuery',
    arguments: { project: 'own', sql, max_rows: 1 },
  });
  expect(adHoc.structuredContent).toMatchObject({
    columns: [{ name: 'event_message', type: 'STRING' }],
    total_rows: 2,
    truncated: true,
  });
  const wrong = await client.callTool({
    name: 'logsAllQuery',
    arguments: { project: 'own', sql: 'SELECT evnt_message FROM edge_logs' },
  });
  expect(wrong.isError).toBe(true);
  expect(JSON.stringify(wrong.content)).toContain('event_message');
  const { resources } = await client.listResources();
  const [first] = resources;
  expect(resources.length).toBeGreaterThan(5);
  const { contents } = await client.readResource({ uri: first?.uri ?? '' });
  expect(JSON.stringify(contents)).toContain('TIMESTAMP');
  await client.close();
  expect(stderr()).toBe('');
});

test('over HTTP, tools give what REST gives', async () => {
  const gateway = await Gateway.serve(workspace);
  try {
    const url = new URL(`${gateway.url}/mcp`);
    const client = await connected(
      new StreamableHTTPClientTransport(url, { requestInit: { headers: { 'X-API-KEY': 'a-key' } } }),
    );
    const { structuredContent } = await client.callTool({ name: 'logsAll', arguments: { project: 'own' } });
    expect(structuredContent).toMatchObject({ rows: await gateway.rows('logs.all', { project: 'own' }) });
    const adHoc = await client.callTool({ name: 'logsAllQuery', arguments: { project: 'own', sql } });
    expect(adHoc.structuredContent).toMatchObject({
      rows: await gateway.rows('logs.all', { project: 'own', sql }),
    });
    const counts = { name: 'usageApiCounts', arguments: { project: 'own', interval: 'daily' } };
    expect((await client.callTool(counts)).isError).toBeUndefined();
    await client.close();
  } finally {
    await gateway.stop();
  }
});
