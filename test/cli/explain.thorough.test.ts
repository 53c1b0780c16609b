import { afterAll, beforeAll, expect, test } from 'vitest';
import { edgeRow } from '../acceptance/support/edge-rows.ts';
import { Gateway } from '../acceptance/support/gateway.ts';
import { Workspace } from '../acceptance/support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
});
afterAll(() => workspace?.remove());

const project = ['--param', 'project=abc'];

const explain = async (args: readonly string[]) => {
  const { code, stdout, stderr } = await workspace.run(['explain', ...args]);
  return { code, stdout, stderr };
};

test("explain prints the SQL of a caller's query, with functions of the gateway's own in constants", async () => {
  const sql = "select id from edge_logs where regexp_contains(event_message, format('^%s', 'a=b'))";
  const { stdout } = await explain(['logs.all', ...project, '--sql', sql]);
  expect(stdout).toMatch(/is_included.* WHERE prefix\(c\d+, 'a=b'\)/);
});

test.each([
  [
    ['logs.all', ...project, '--sql', 'select id from logs.edge_logs'],
    expect.stringMatching('Table not found'),
  ],
])('explain refuses %j', async (args, stderr) => {
  expect(await explain(args)).toEqual({ code: 1, stdout: '', stderr });
});

test("explain --plan adds DuckDB's plan, and says when a server has the store open", async () => {
  const file = await workspace.writeRows('rows.ndjson', [edgeRow('2026-11-20T01:00:00Z', 'abc', '/rest/v1')]);
  await workspace.run(['import', 'edge_logs', file]);
  const args = ['logs.all', ...project, '--plan'];
  const planned = await explain(args);
  expect(planned).toMatchObject({ code: 0, stderr: '' });
  expect(planned.stdout).toMatch(/^-- .*\nSELECT .*\n\n┌─+┐\n.*SEQ_SCAN/s);

  const gateway = await Gateway.serve(workspace);
  const refused = await explain(args);
  const { pid } = gateway.command;
  await gateway.stop();
  expect(refused.code).toBe(1);
  expect(refused.stdout).toMatch(/\nSELECT .*;\nSELECT [\s\S]*\n$/);
  expect(refused.stderr).toMatch(
    /^DATA_DIR: the store .* is in use by the gateway at http:\/\/\S+ \(pid \d+\)\. /,
  );
  expect(refused.stderr).toContain(`(pid ${pid}). Stop it, or set DATA_DIR to another folder.`);
});
