import { afterAll, beforeAll, expect, test } from 'vitest';
import { SameTree } from '../../../../src/engines/bigquery/sliceable/same-tree.ts';
import { statementOf } from '../../../../src/sql/plan/plan.ts';
import type { Column } from '../../../../src/sql/values/type.ts';
import { logSetting, Workbench } from '../sql/support/workbench.ts';

let workbench: Workbench;
beforeAll(async () => {
  const { edge_logs = [], ...others } = logSetting.sources;
  const columns: readonly Column[] = [...edge_logs, { name: 'm', type: { kind: 'INT64' } }];
  workbench = await Workbench.open({ ...logSetting, sources: { ...others, edge_logs: columns } });
});
afterAll(async () => workbench?.[Symbol.asyncDispose]());

async function areSame(left: string, right: string): Promise<boolean> {
  const [one, other] = await Promise.all([left, right].map((sql) => workbench.plan(sql).then(statementOf)));
  return new SameTree().is(one, other);
}

const entry = 'WITH e AS (SELECT id, n FROM logs.edge_logs)';

test.each([
  ['SELECT id FROM logs.edge_logs WHERE n > 1', 'SELECT  e.id FROM logs.edge_logs AS e WHERE e.n > 1'],
  [`${entry} SELECT n FROM e`, `${entry} SELECT x.n FROM e AS x`],
  [
    'SELECT n AS m, COUNT(*) FROM logs.edge_logs GROUP BY m',
    'SELECT n AS m, COUNT(*) FROM logs.edge_logs GROUP BY n',
  ],
])('is the tree of %s and of %s', async (left, right) => {
  expect(await areSame(left, right)).toBe(true);
});

test.each([
  ['SELECT n FROM logs.edge_logs', 'SELECT n AS m FROM logs.edge_logs'],
  ['SELECT m AS n FROM logs.edge_logs', 'SELECT n FROM logs.edge_logs'],
  ['SELECT id AS n FROM logs.edge_logs', 'SELECT n FROM logs.edge_logs'],
  ['SELECT n FROM logs.edge_logs', 'SELECT n FROM logs.auth_logs'],
  ['SELECT n FROM logs.edge_logs WHERE n > 1', 'SELECT n FROM logs.edge_logs WHERE n > 2'],
  ['SELECT n FROM logs.edge_logs WHERE n > 1', 'SELECT n FROM logs.edge_logs WHERE n >= 1'],
  ['SELECT n FROM logs.edge_logs WHERE n = @rows', 'SELECT n FROM logs.edge_logs WHERE n = 1'],
  ['SELECT COUNT(n) AS c FROM logs.edge_logs', 'SELECT COUNT(DISTINCT n) AS c FROM logs.edge_logs'],
  ['SELECT MIN(n) AS c FROM logs.edge_logs', 'SELECT MAX(n) AS c FROM logs.edge_logs'],
  ['SELECT n FROM logs.edge_logs ORDER BY n', 'SELECT n FROM logs.edge_logs ORDER BY n DESC'],
  ['SELECT n FROM logs.edge_logs LIMIT 1', 'SELECT n FROM logs.edge_logs LIMIT 1 OFFSET 1'],
  [
    'SELECT a.n FROM logs.edge_logs AS a JOIN logs.edge_logs AS b USING (id)',
    'SELECT b.n FROM logs.edge_logs AS a JOIN logs.edge_logs AS b USING (id)',
  ],
  ['WITH e AS (SELECT 1 AS a, 2 AS b) SELECT a FROM e', 'WITH e AS (SELECT 1 AS b, 2 AS a) SELECT a FROM e'],
])('isn’t the tree of %s and of %s', async (left, right) => {
  expect(await areSame(left, right)).toBe(false);
});
