import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../acceptance/support/processes.ts';
import { Workspace } from '../acceptance/support/workspace.ts';
import { program } from '../support/program.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
});
afterAll(() => workspace?.remove());

test('a command whose reader has enough ends quietly', async () => {
  const script = `set -o pipefail; node ${program} sources show edge_logs --json | head -c 1; echo "=$?"`;
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script], {
    env: { ...process.env, ...workspace.environment },
  });
  // What fits into the pipe may be written before its reader has ended.
  expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(/^\{=(?:141|0)\n$/), stderr: '' });
});

test('a command that a signal ends says nothing, and leaves no file', async () => {
  const command = workspace.start(['check']);
  await eventually('the analyzer runs', async () => (await workspace.analyzers()).length > 0);
  expect(await command.stop('SIGINT')).toEqual({ code: null, signal: 'SIGINT', stdout: '', stderr: '' });
  await eventually('no temporary file is left', async () => (await workspace.temporaryFiles()).length === 0);
});
