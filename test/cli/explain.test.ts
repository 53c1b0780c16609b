import { afterAll, beforeAll, expect, test } from 'vitest';
import { Workspace } from '../acceptance/support/workspace.ts';
import { type ServedRows, serveRows } from '../tools/emulators/bigquery/support/served-rows.ts';
import { inProcess } from './support/in-process.ts';

let workspace: Workspace;
let served: ServedRows;
beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  const columns = [{ name: 'status', type: 'INTEGER' }];
  served = await serveRows({ edge: { columns, rows: [] } });
  await workspace.write(
    'edge.sql',
    '/*\nid: 00000000-0000-4000-8000-000000000001\nname: edge\n*/\nSELECT status FROM logs.edge',
  );
});
afterAll(async () => {
  await served?.[Symbol.asyncDispose]();
  await workspace?.remove();
});

const project = ['--param', 'project=abc'];
const bigquery = { ENGINE: 'bigquery', GOOGLE_CLOUD_PROJECT: 'p', BIGQUERY_DATASET: 'd' };

const explain = (args: readonly string[], settings: Record<string, string> = {}) =>
  inProcess(['explain', ...args], { ...workspace.environment, ...settings });

test('explain prints types and tables as comments, and the SQL of a call with its parameters', async () => {
  const start = 'iso_timestamp_start=2026-11-20T01:00:00Z';
  const { stdout, ...rest } = await explain(['logs.all', ...project, '--param', start]);
  expect(rest).toEqual({ code: 0, stderr: '' });
  const [comments = '', sql = ''] = stdout.split(/(?<=\n)(?=SELECT\n)/);
  expect(comments).toMatch(/^(?:-- .*\n)+$/);
  expect(comments).toMatch(/^-- logs\.all {2}2f4e1d7a-\S+ {2}\S+logs\.all\.sql\n/);
  expect(comments).toContain('\n-- parameter project STRING (required)\n');
  expect(comments).toContain('\n-- column timestamp TIMESTAMP\n');
  expect(comments).toContain('\n-- reads logs.edge_logs\n');
  expect(stdout.slice(comments.length)).toMatch(
    /^SELECT\n[^;]* FROM lists\."edge_logs"[^;]*;\nSELECT\n[^;]* FROM flat\."edge_logs" AS t\n[\s\S]*\n$/,
  );
  expect(sql).toContain("= 'abc'");
  expect(sql).toContain("TIMESTAMP '2026-11-20 01:00:00'");
});

test('explain prints no control characters of a file, and its name stays in the comment', async () => {
  const folder = await Workspace.create();
  try {
    await folder.write(
      'endpoints/x\u001b[31m\n::error::injected\n.sql',
      '/*\nid: 00000000-0000-4000-8000-000000000002\nname: odd\ndescription: "x\\e]0;title\\ay\\nsecond"\n*/\nSELECT 1 AS n',
    );
    const { stdout } = await inProcess(['explain', 'odd'], folder.environment);
    const [first, second, third] = stdout.split('\n');
    expect(first).toMatch(/^-- odd .*\/x\\u001b\[31m\\n::error::injected\\n\.sql$/);
    expect([second, third]).toEqual(['-- x\\u001b]0;title\\u0007y', '-- second']);
    await folder.write(
      'endpoints/named.sql',
      '/*\nid: 00000000-0000-4000-8000-000000000003\nname: "odd\\e]0;title\\a"\n*/\nSELECT 1 AS n',
    );
    const unknown = await inProcess(['explain', 'od'], folder.environment);
    expect(unknown.stderr).toMatch(/available: odd, odd\\u001b\]0;title\\u0007\n$/);
    const checked = await inProcess(['check'], folder.environment);
    expect(checked.stdout).toMatch(/^odd .*\/x\\u001b\[31m\\n::error::injected\\n\.sql$/m);
  } finally {
    await folder.remove();
  }
});

test('explain refuses a parameter that the endpoint does not have, or lacks, after its types', async () => {
  const unknown = await explain(['logs.all', '--param', 'projec=a']);
  expect(unknown).toEqual({
    code: 2,
    stdout: expect.stringMatching(/^(?:-- .*\n)+$/),
    stderr:
      '--param projec=a: logs.all has no such parameter; available: project=…, iso_timestamp_start=…, iso_timestamp_end=…\n',
  });
  const missing = await explain(['logs.all']);
  expect(missing).toEqual({
    ...unknown,
    stderr: 'Parameter "project" is required. Use --param project=…\n',
  });
  expect(await explain(['logs'])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'logs: unknown endpoint; available: logs.all, usage.api-counts\n',
  });
});

test('explain --json tells the same of an ad-hoc query', async () => {
  const { code, stdout } = await explain(['logs.all', ...project, '--lql', 'f:edge_logs s:id', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    endpoint: { name: 'logs.all' },
    parameters: [{ name: 'project', type: 'STRING', required: true }, {}, {}],
    columns: [{ name: 'id', type: 'STRING' }],
    tables: ['logs.edge_logs'],
    engine: 'duckdb',
    sql: [expect.stringMatching(/^SELECT /)],
  });
});

test('explain on BigQuery prints the text that is sent', async () => {
  const { stdout, ...rest } = await explain(['logs.all', ...project], bigquery);
  expect(rest).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('FROM `p.d.edge_logs` AS t');
  expect(stdout).toContain('t.project = @project');
  // The newest rows come first from the last days.
  expect(stdout).toMatch(
    /FROM \(SELECT \* FROM `p\.d\.edge_logs` WHERE `timestamp` >= TIMESTAMP '[-\d]+ 00:00:00\+00'\) AS t/,
  );
  const bounded = await explain(
    ['logs.all', ...project, '--param', 'iso_timestamp_start=2026-01-01'],
    bigquery,
  );
  expect(bounded.stdout).toContain(
    'FROM (SELECT * FROM `p.d.auth_logs` WHERE `timestamp` > CAST(@iso_timestamp_start AS TIMESTAMP)) AS t',
  );

  const stderr = '--plan: BigQuery has no plan for a query that has not run\n';
  expect(await explain(['logs.all', ...project, '--plan'], bigquery)).toEqual({
    code: 2,
    stdout: '',
    stderr,
  });
});

test('explain --cost asks BigQuery what the query would read, and runs nothing', async () => {
  const settings = {
    ...{
      GOOGLE_CLOUD_PROJECT: 'test-project',
      BIGQUERY_DATASET: 'logs_eu',
      BIGQUERY_EMULATOR_HOST: served.server.url,
    },
    ...{ SOURCES_DIR: served.sourcesDir, ENDPOINTS_DIR: workspace.root },
  };
  const jobs = served.server.jobs.length;
  const { code, stdout } = await explain(['edge', '--cost', '--engine', 'bigquery'], settings);
  expect(code).toBe(0);
  expect(stdout).toMatch(/\n-- would read [\d,]+ bytes?\n$/);
  expect(served.server.jobs.length).toBe(jobs);
});

test('explain --cost tells what the embedded engine would read, and needs its store', async () => {
  const without = await explain(['logs.all', ...project, '--cost'], { DATA_DIR: workspace.path('nowhere') });
  expect(without).toMatchObject({ code: 1, stdout: '', stderr: /^There is no store in DATA_DIR/ });
  const rows = workspace.path('rows.ndjson');
  await workspace.write(
    'rows.ndjson',
    `${JSON.stringify({ id: '1', timestamp: '2026-11-20T00:00:00Z', event_message: 'x', project: 'abc' })}\n`,
  );
  expect((await inProcess(['import', 'edge_logs', rows], workspace.environment)).code).toBe(0);
  const { code, stdout } = await explain(['logs.all', ...project, '--cost']);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /\n-- would read up to [\d,]+ bytes of [\d,]+ rows?\n-- {3}edge_logs: [\d,]+ bytes of/,
  );
  const json = await explain(['logs.all', ...project, '--cost', '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({ tables: [{ name: 'edge_logs' }] });
});
