import { expect, onTestFinished, test } from 'vitest';
import { overStdio } from './support/agent.ts';
import { Gateway } from './support/gateway.ts';
import { Workspace } from './support/workspace.ts';

test('a key restricts the agent over standard input and output', async () => {
  const workspace = await Workspace.withShippedSchema();
  onTestFinished(() => workspace.remove());
  const made = await workspace.run(['keys', 'create', '--name', 'agent', '--projects', 'own']);
  const { client } = await overStdio(workspace, { MCP_KEY: made.stdout.trim() });
  const { tools } = await client.listTools();
  expect(tools[0]?.inputSchema).toMatchObject({ properties: { project: { enum: ['own'] } } });
  const other = await client.callTool({ name: 'logsAll', arguments: { project: 'other' } });
  expect(JSON.stringify(other)).toContain('this key allows \\"own\\" only');
  await client.close();
  const refused = await workspace.run(['mcp'], { MCP_KEY: 'unknown' });
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: 'MCP_KEY: Unauthorized\n' });
});

test('a store that is in use is reached over HTTP, says the command', async () => {
  const workspace = await Workspace.withShippedSchema();
  onTestFinished(() => workspace.remove());
  const gateway = await Gateway.serve(workspace);
  const refused = await workspace.run(['mcp']);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/is in use by .+ connect the agent to its path \/mcp\.\n$/);
  await gateway.stop();
});
