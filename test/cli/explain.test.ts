import { afterAll, beforeAll, expect, test } from 'vitest';
import { Workspace } from '../acceptance/support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
});
afterAll(() => workspace?.remove());

const project = ['--param', 'project=abc'];
const bigquery = { ENGINE: 'bigquery', GOOGLE_CLOUD_PROJECT: 'p', BIGQUERY_DATASET: 'd' };

const explain = async (args: readonly string[], settings: Record<string, string> = {}) => {
  const { code, stdout, stderr } = await workspace.run(['explain', ...args], settings);
  return { code, stdout, stderr };
};

test('explain prints the SQL of an endpoint with the values of its parameters', async () => {
  const start = 'iso_timestamp_start=2026-11-20T01:00:00Z';
  const { stdout, ...rest } = await explain(['logs.all', ...project, '--param', start]);
  expect(rest).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    /^SELECT .* FROM lists\."edge_logs".*;\nSELECT .* JOIN flat\."edge_logs" AS t [\s\S]*\n$/,
  );
  expect(stdout).toContain("= 'abc'");
  expect(stdout).toContain("TIMESTAMP '2026-11-20 01:00:00'");
});

test('explain refuses a parameter that the endpoint does not have, and names those that it has', async () => {
  expect(await explain(['logs.all', '--param', 'projec=a'])).toEqual({
    code: 1,
    stdout: '',
    stderr:
      '--param projec=a: unknown parameter; available: project=…, iso_timestamp_start=…, iso_timestamp_end=…\n',
  });
});

test('explain on BigQuery prints the text that is sent', async () => {
  const { stdout, ...rest } = await explain(['logs.all', ...project], bigquery);
  expect(rest).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('FROM `p.d.edge_logs` AS t');
  expect(stdout).toContain('t.project = @project');

  const withPlan = await explain(['logs.all', ...project, '--plan'], bigquery);
  const stderr = '--plan: BigQuery has no plan for a query that has not run\n';
  expect(withPlan).toEqual({ code: 1, stdout, stderr });
});
