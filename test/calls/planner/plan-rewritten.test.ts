import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { LocalPlanner } from '../../../src/calls/planner/local-planner.ts';
import { loadEndpoints } from '../../../src/definitions/endpoints/load-endpoints.ts';
import { JobTexts } from '../../../src/engines/bigquery/sql/job-text.ts';
import { prepareText } from '../../../src/engines/bigquery/sql/prepare-text.ts';
import { tableNames } from '../../../src/engines/bigquery/text/table-names.ts';
import { checkPlan } from '../../../src/engines/duckdb/run/check-plan.ts';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import { positionAt } from '../../../src/sql/text/text-position.ts';

const catalog = {
  tables: [
    {
      path: ['logs', 'edge_logs'] as const,
      columns: [
        { name: 'id', type: { kind: 'STRING' as const } },
        { name: 'timestamp', type: { kind: 'TIMESTAMP' as const } },
      ],
    },
  ],
};

let analyzer: Analyzer;
let folder: string;
beforeAll(async () => {
  analyzer = await Analyzer.start();
});
afterAll(() => analyzer.close());
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rewritten-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Loads an endpoint with a query, behind the settings of its file. */
async function load(sql: string, settings = '') {
  const head = `/*\nid: 00000000-0000-4000-8000-000000000001\nname: a\n${settings}*/\n`;
  await writeFile(path.join(folder, 'a.sql'), head + sql);
  const planner = new LocalPlanner(analyzer);
  const { endpoints, problems } = await loadEndpoints(folder, {
    planText: (text) => planner.planText(text),
    catalog,
    checkPlan,
  });
  return { endpoint: endpoints[0], problems: problems.map((p) => `${p.line}:${p.column}: ${p.text}`) };
}

test('an endpoint can be in pipe syntax, with tables and parameters', async () => {
  const { endpoint, problems } = await load(
    'with t as (from logs.edge_logs |> where id = @id)\nfrom t |> aggregate count(*) as n group by id',
    'sandbox: true\nparameters: {id: {}}\n',
  );
  expect(problems).toEqual([]);
  expect(endpoint?.plan.columns.map(({ name }) => name)).toEqual(['id', 'n']);
  expect(endpoint?.tables.map(({ name, plan }) => [name, plan.columns.map((column) => column.name)])).toEqual(
    [['t', ['id', 'timestamp']]],
  );
});

test.each([
  ['from logs.edge_logs\n  |> where nothing = 1', '7:12: Unrecognized name: nothing'],
  ['from logs.edge_logs\n  |> call f()', '7:6: The pipe operator CALL is not supported'],
  [
    'from logs.edge_logs\n|> extend 1 as x\n|> where id = @id',
    '8:15: Parameter "id" is not declared in the settings',
  ],
  ['from logs.edge_logs\n|> select\n  1 + length(aead.encrypt(b"", b"", b"")) as x', '8:14: '],
])('a problem of an endpoint in pipe syntax has its place in the file: %s', async (sql, problem) => {
  const { problems } = await load(sql, 'parameters: {}\n');
  expect(problems.join('\n')).toContain(problem);
});

test('BigQuery is sent standard syntax, and its positions are those of the file', async () => {
  const { endpoint } = await load(
    "from logs.edge_logs as e\n|> extend 'x' as found\n|> where e.id = found\n|> limit 5",
  );
  if (endpoint === undefined) throw new Error('The endpoint has a problem');
  const names = tableNames({ project: 'my-project', dataset: 'logs_eu', tables: new Map() });
  const texts = new JobTexts((plan) => prepareText(plan, analyzer, names));
  const { sql, place } = await texts.of(endpoint.plan, new Map(), 3);
  expect(sql).not.toContain('|>');
  expect(sql).toContain('`my-project.logs_eu.edge_logs` as e');
  expect(sql).toMatch(/LIMIT 4$/);
  expect(place(positionAt(sql, sql.indexOf("'x'")))).toEqual({ line: 6, column: 11 });
  expect(place(positionAt(sql, sql.lastIndexOf('found')))).toEqual({ line: 7, column: 17 });
});
