import { afterAll, beforeAll, expect, test } from 'vitest';
import { Gateway } from '../acceptance/support/gateway.ts';
import { Workspace } from '../acceptance/support/workspace.ts';

let workspace: Workspace;
let running: Gateway;

beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  running = await Gateway.serve(workspace);
});
afterAll(async () => {
  await running?.stop();
  await workspace?.remove();
});

/** Fails to start, and says why: one line a reason. */
async function expectRefused(expected: number, settings: Record<string, string>, reasons: readonly RegExp[]) {
  const { code, stdout, stderr } = await workspace.run(['serve'], settings);
  expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
  expect(stderr.trimEnd().split('\n')).toEqual(reasons.map((reason) => expect.stringMatching(reason)));
}

test('a store that another server has open is named, with that server and what to do', () =>
  expectRefused(1, {}, [
    new RegExp(
      `^DATA_DIR: the store .*data/store\\.duckdb is in use by the gateway at ${running.url} \\(pid ${running.command.pid}\\)\\. Stop it, or set DATA_DIR`,
    ),
  ]));

test('all unknown settings are named together', () =>
  expectRefused(
    2,
    {
      PORT: 'http',
      QUERY_ERRORS_AS_200: 'maybe',
      DUCKDB_MEMORY_LIMIT: 'much',
      ANALYZER_MEMORY_MB: '256',
      DUCKDB_TREADS: '1',
    },
    [
      /^warning: Unknown setting DUCKDB_TREADS, ignored\. Did you mean DUCKDB_THREADS\?$/,
      /^PORT: expected /,
      /^QUERY_ERRORS_AS_200: expected /,
      /^ANALYZER_MEMORY_MB: expected /,
      /^DUCKDB_MEMORY_LIMIT: expected /,
    ],
  ));

test.each([
  [[], /^Usage: /],
  [['nonsense'], /^error: unknown command 'nonsense'\n/],
  [['import', 'edge_logs'], /^error: missing required argument 'files'\n/],
])('a command line that is none, %o, is explained', async (args, says) => {
  const { code, stdout, stderr } = await workspace.run(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(says);
});

test('what failed to start leaves the running server and its store alone', async () => {
  expect((await running.call('/readyz')).status).toBe(200);
  expect(running.command.stderr).toBe('');
  expect(await workspace.analyzers()).toHaveLength(2);
});
