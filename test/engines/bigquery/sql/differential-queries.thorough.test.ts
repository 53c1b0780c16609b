import { afterAll, beforeAll, expect, test } from 'vitest';
import { statementOf } from '../../../../src/sql/plan/plan.ts';
import type { SqlType } from '../../../../src/sql/values/type.ts';
import { readQueries } from '../../duckdb/differential/query-file.ts';
import { tables } from '../../duckdb/differential/tables.ts';
import { treeMaxRows, treeText } from './support/tree-text.ts';
import { Workbench } from './support/workbench.ts';

const string: SqlType = { kind: 'STRING' };

let bench: Workbench;
beforeAll(async () => {
  bench = await Workbench.open({
    sources: Object.fromEntries(tables.map(({ name, columns }) => [name, columns])),
    parameters: new Map(
      ['project', 'iso_timestamp_start', 'iso_timestamp_end', 'interval'].map((name) => [name, string]),
    ),
  });
});
afterAll(() => bench[Symbol.asyncDispose]());

const names = tables.map(({ name }) => name).join('|');
const read = new RegExp(`((?:from|join)\\s+\\(*|, )(${names})\\b(?! as \\(|\\.)`, 'gi');
const files = new Set(['dashboards.sql', 'relations.sql', 'stored.sql']);

test.each([...readQueries((file) => files.has(file))])('%s', async (_, query) => {
  const plan = await bench.plan(query.replace(read, '$1logs.$2'));
  const job = await bench.jobText(plan, { maxRows: treeMaxRows });
  // Only records of their own column are asked for in another way.
  if (job.sql.startsWith('SELECT record FROM')) return;
  expect(treeText(await bench.resolved(job.sql))).toBe(treeText(statementOf(plan)));
});
