import { resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { onTestFinished } from 'vitest';
import { program } from '../../support/program.ts';
import type { Workspace } from './workspace.ts';

/** A client of the SDK, until the test is over. */
export async function connected(transport: unknown): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(transport as Transport);
  return client;
}

/** A client of `gateway mcp`, and what the command wrote to standard error. */
export async function overStdio(workspace: Workspace, settings: Readonly<Record<string, string>> = {}) {
  const { PATH = '', HOME = '' } = process.env;
  const transport = new StdioClientTransport({
    command: resolve('node_modules/.bin/node'),
    args: [program, 'mcp'],
    env: { PATH, HOME, ENV_FILE: '/dev/null', ...workspace.environment, ...settings },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (piece) => {
    stderr += piece;
  });
  return { client: await connected(transport), stderr: () => stderr };
}
