import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkPlan } from '../../../../src/engines/bigquery/sql/check-plan.ts';
import { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import { newPlan } from '../../../../src/sql/plan/plan.ts';
import type { AnyNode } from '../../../../src/sql/resolved/node.ts';

let analyzer: Analyzer;

beforeAll(async () => {
  analyzer = await Analyzer.start();
});
afterAll(() => analyzer?.close());

const catalog = { tables: [] };
const planOf = (statement: AnyNode) =>
  newPlan({ isCallers: false, sql: '', statement, columns: [], parameters: new Map() });

test('BigQuery may run whatever the analyzer accepts', async () => {
  const sql = `WITH a AS (SELECT TO_JSON_STRING(STRUCT(1 AS x)) AS j, RAND() AS r, GENERATE_UUID() AS u, CURRENT_TIMESTAMP() AS t)
SELECT j, r, u, t, ARRAY(SELECT n FROM UNNEST([1, 2]) AS n WHERE EXISTS(SELECT NET.HOST('x'))), ERROR('x') FROM a`;
  const statement = await analyzer.analyze(sql, { catalog, parameters: new Map() });
  await expect(checkPlan(planOf(statement))).resolves.toBeUndefined();
});

/** The analyzer must know none of it; where it did, its tree would be refused. */
test.each([
  'SESSION_USER()',
  '@@project_id',
  'EXTERNAL_QUERY("c", "SELECT 1")',
  'KEYS.NEW_KEYSET("AEAD_AES_GCM_256")',
])('the analyzer knows no %s', async (expression) => {
  const analyzed = analyzer.analyze(`SELECT ${expression}`, { catalog, parameters: new Map() });
  await expect(analyzed).rejects.toThrow();
});

test.each<[tree: object, message: string]>([
  [
    { resolved_function_call_node: { parent: { function: { name: 'ZetaSQL:session_user' } } } },
    'The function SESSION_USER',
  ],
  [
    { resolved_function_call_node: { parent: { function: { name: 'Gateway:Keys.New_Keyset' } } } },
    'KEYS.NEW_KEYSET',
  ],
  [{ resolved_system_variable_node: { name_path: ['project_id'] } }, 'System variables'],
  [{ resolved_tvfscan_node: {} }, 'Table-valued functions'],
])('%j is refused', async (tree, message) => {
  const statement = { resolved_query_stmt_node: { query: { node: 'x', x: { expr_list: [tree] } } } };
  await expect(checkPlan(planOf(statement))).rejects.toThrow(message);
});
