import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/app/engines/registry.ts';
import { checkCommand } from '../../src/cli/check/check.ts';
import { type ServedRows, serveRows } from '../tools/emulators/bigquery/support/served-rows.ts';
import { CapturedOutput } from './support/captured-output.ts';

let rows: ServedRows;
let folder: string;

beforeAll(async () => {
  const columns = [
    { name: 'status', type: 'INTEGER' },
    { name: 'tags', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'name', type: 'STRING' }] },
  ];
  const timestamp = '2026-11-20T05:00:00Z';
  rows = await serveRows({ edge: { columns, rows: [{ id: 'a', timestamp, status: 200, tags: [] }] } });
});
afterAll(() => rows?.[Symbol.asyncDispose]());

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'check-'));
  await cp(rows.sourcesDir, folder, { recursive: true });
  rows.server.clearFaults();
});
afterEach(() => rm(folder, { recursive: true }));

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const settings = (n: number, name: string, more = '') => `/*\nid: ${uuid(n)}\nname: ${name}\n${more}*/\n`;

async function check(files: Record<string, string>, environment: Record<string, string> = {}) {
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(folder, file), text);
  const output = new CapturedOutput();
  const config = readConfig({
    ENGINE: 'bigquery',
    GOOGLE_CLOUD_PROJECT: 'test-project',
    BIGQUERY_DATASET: 'logs_eu',
    BIGQUERY_EMULATOR_HOST: rows.server.url,
    SOURCES_DIR: folder,
    ENDPOINTS_DIR: folder,
    ...environment,
  });
  const code = await checkCommand(config, output, { engine: true });
  const complaints = output.complaints.map((line) => line.replace(/^\S*\//, ''));
  return { code, out: output.stdout, complaints };
}

const plain = `${settings(1, 'plain')}SELECT status FROM logs.edge WHERE timestamp > '2026-01-01'`;

describe('checking against BigQuery', () => {
  test('prints what each endpoint would read, and runs nothing', async () => {
    const parameters =
      'parameters:\n  since: {type: TIMESTAMP, example: 2026-11-01T00:00:00Z}\n' +
      '  unit: {values: [hour, day]}\n  other: {}\n';
    const sql = 'SELECT id FROM logs.edge WHERE timestamp > @since AND @unit = @other';
    const jobs = rows.server.jobs.length;
    const { code, out, complaints } = await check({
      'a.sql': plain,
      'b.sql': `${settings(2, 'with-parameters', parameters)}${sql}`,
    });
    expect({ code, complaints }).toEqual({ code: 0, complaints: [] });
    expect(out).toMatch(/^plain would read \d+ bytes?$/m);
    expect(out).toMatch(/^with-parameters would read \d+ bytes?$/m);
    expect(out).toContain('2 endpoints, 1 source: no errors');
    expect(rows.server.jobs).toHaveLength(jobs);
    const bodies = rows.server.requests.map(({ body }) => body).join('\n');
    expect(bodies).toContain('2026-11-01 00:00:00');
  });

  test('reports columns that are declared otherwise than they are, by file', async () => {
    const schema = JSON.parse(await readFile(path.join(folder, 'edge.json'), 'utf8'));
    const declared = [
      ...schema.filter(({ name }: { name: string }) => name !== 'tags'),
      { name: 'extra', type: 'STRING' },
    ];
    declared[2] = { ...declared[2], type: 'STRING' };
    const { code, complaints } = await check({
      'edge.json': JSON.stringify(declared),
      'a.sql': `${settings(1, 'a')}SELECT id FROM logs.edge`,
    });
    expect(code).toBe(1);
    expect(complaints).toEqual([
      expect.stringMatching(/^edge\.json:1:1: status .*STRING.*INT64.*\(test-project\.logs_eu\.edge\)$/),
      expect.stringMatching(/^edge\.json:1:1: extra .*not in the table/),
      expect.stringMatching(/^edge\.json:1:1: tags .*not declared/),
      '3 errors',
    ]);
  });

  test('reports results of other types than are expected, at the query', async () => {
    rows.server.fail({
      path: '/jobs$',
      times: 0,
      set: { 'statistics.query.schema.fields.0.type': 'STRING' },
    });
    const { code, complaints } = await check({ 'a.sql': plain });
    expect(code).toBe(1);
    expect(complaints).toEqual([
      expect.stringMatching(/^a\.sql:5:1: on BigQuery, status is STRING, not INT64$/),
      '1 error',
    ]);
  });

  test('reports what BigQuery refuses, at its place in the file', async () => {
    rows.server.fail({
      path: '/jobs$',
      status: { code: 400, reason: 'invalidQuery', message: 'Function not found: STATUS at [2:8]' },
    });
    const { code, complaints, out } = await check({ 'a.sql': plain });
    expect(code).toBe(1);
    expect(complaints).toEqual(['a.sql:5:8: BigQuery: Function not found: STATUS', '1 error']);
    expect(out).not.toContain('would read');
  });

  test('reports tables that there are not, with their names', async () => {
    const { code, complaints } = await check({ 'a.sql': plain }, { BIGQUERY_TABLES: 'edge=nowhere-2026' });
    expect(code).toBe(1);
    expect(complaints).toEqual([
      expect.stringMatching(/^a\.sql:5:1: .*test-project[:.]logs_eu\.nowhere-2026/),
      expect.stringMatching(/^edge\.json:1:1: there is no test-project\.logs_eu\.nowhere-2026/),
      '2 errors',
    ]);
  });

  test('refuses a table of a source that there isn’t', async () => {
    await expect(check({ 'a.sql': plain }, { BIGQUERY_TABLES: 'edges=nowhere-2026' })).rejects.toThrow(
      'BIGQUERY_TABLES: unknown source "edges"',
    );
  });

  test('says that --engine is ignored without BigQuery', async () => {
    const { code, complaints } = await check({ 'a.sql': plain }, { ENGINE: 'duckdb' });
    expect(code).toBe(0);
    expect(complaints).toEqual([expect.stringContaining('--engine: ignored, because the engine is DuckDB')]);
  });
});
