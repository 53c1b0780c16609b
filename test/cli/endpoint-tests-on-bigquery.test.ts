import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { TestOptions } from '../../src/cli/test/options.ts';
import { type ServedRows, serveRows } from '../tools/emulators/bigquery/support/served-rows.ts';
import { EndpointTestFolder } from './support/endpoint-test-folder.ts';

let rows: ServedRows;
let folder: EndpointTestFolder;
beforeAll(async () => {
  rows = await serveRows({ edge: { columns: [{ name: 'status', type: 'INTEGER' }], rows: [] } });
  folder = await EndpointTestFolder.create({
    'endpoints/edge.sql': `/*
id: 00000000-0000-4000-8000-000000000001
name: edge
sandbox: true
parameters:
  least: { type: INT64, required: true }
*/
WITH edge AS (SELECT id, status FROM logs.edge WHERE status >= @least)
SELECT id, status FROM edge`,
  });
  for (const name of await readdir(rows.sourcesDir))
    await folder.write({ [`sources/${name}`]: await readFile(path.join(rows.sourcesDir, name), 'utf8') });
});
afterAll(async () => {
  await folder?.remove();
  await rows?.[Symbol.asyncDispose]();
});
afterEach(() => rows.server.clearFaults());

const dryRun = (cases: string) => run(cases, { dryRun: true });

async function run(cases: string, options: TestOptions = {}) {
  await folder.write({ 'endpoints/edge.test.yaml': `cases:${cases}` });
  const environment = {
    GOOGLE_CLOUD_PROJECT: 'test-project',
    BIGQUERY_DATASET: 'logs_eu',
    BIGQUERY_EMULATOR_HOST: rows.server.url,
  };
  return folder.run({ engine: 'bigquery', ...options, environment });
}

const cases = `
  - name: rows
    rows: { edge: [{ id: a, timestamp: 2026-11-20T00:00:00Z, status: 500 }] }
    parameters: { least: 400 }
    expect: { rows: [{ id: a, status: 500 }] }
  - name: SQL
    parameters: { least: 400 }
    sql: SELECT COUNT(*) AS n FROM edge
    expect: { rows: [{ n: 1 }] }
  - name: a missing parameter
    expect: { error: { code: BAD_USER_INPUT, parameter: least } }
`;

test('a dry run checks queries and runs none', async () => {
  const jobs = rows.server.jobs.length;
  const { code, out } = await dryRun(`${cases}
  - name: an error while it runs
    parameters: { least: 1 }
    expect: { error: { code: QUERY_FAILED } }
`);
  expect(out).toBe(`endpoints/edge.test.yaml
  ✓ rows (N ms)
  ✓ SQL (N ms)
  ✓ a missing parameter (N ms)
  - an error while it runs (skipped: the error does not show before the query runs)

3 passed, 1 skipped (4 cases in 1 file, N s)
`);
  expect(code).toBe(0);
  expect(rows.server.jobs).toHaveLength(jobs);
});

test('other types of results and refused queries fail', async () => {
  rows.server.fail({
    path: '/jobs$',
    times: 1,
    set: { 'statistics.query.schema.fields.1.type': 'STRING' },
  });
  const drift = await dryRun(' [{ name: one, parameters: { least: 1 }, expect: { count: 1 } }]');
  expect(drift.out).toContain('  on BigQuery, status is STRING, not INT64\n');
  rows.server.clearFaults();
  rows.server.fail({
    path: '/jobs$',
    status: { code: 400, reason: 'invalidQuery', message: 'Function not found: STATUS at [2:8]' },
  });
  const refused = await dryRun(' [{ name: one, parameters: { least: 1 }, expect: { count: 1 } }]');
  expect(refused.out).toMatch(/the call failed with \w+: Function not found: STATUS/);
  expect(refused.code).toBe(1);
});

test('a run compares the rows, reads no table, and leaves none', async () => {
  const jobs = rows.server.jobs.length;
  const { code, out } = await run(`${cases}
  - name: other rows
    rows: { edge: [{ id: b, timestamp: 2026-11-20T00:00:00Z, status: 500 }] }
    parameters: { least: 400 }
    expect: { rows: [{ id: a, status: 500 }] }
  - name: no rows
    parameters: { least: 400 }
    expect: { empty: true }
`);
  expect(out).toContain(`  ✓ rows (N ms)
  ✗ SQL (N ms)
  ✓ a missing parameter (N ms)
  ✗ other rows (N ms)
  ✓ no rows (N ms)
`);
  expect(out).toContain('- a   500\n    + b   500');
  expect(code).toBe(1);
  const run_ = rows.server.jobs.slice(jobs);
  expect(run_).toHaveLength(4);
  for (const job of run_) expect(JSON.stringify(job)).not.toContain('logs_eu');
});
