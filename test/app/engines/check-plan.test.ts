import { expect, test } from 'vitest';
import { engineOf } from '../../../src/app/engines/registry.ts';
import { newPlan } from '../../../src/sql/plan/plan.ts';

test('commands that open no engine refuse what a gateway would refuse when it loads the endpoint', async () => {
  const call = { parent: { function: { name: 'ZetaSQL:session_user' }, signature: {}, argument_list: [] } };
  const scan = {
    resolved_project_scan_node: { expr_list: [{ expr: { resolved_function_call_node: call } }] },
  };
  const plan = newPlan({
    isCallers: false,
    sql: 'SELECT SESSION_USER()',
    statement: { resolved_query_stmt_node: { output_column_list: [], query: scan } },
    columns: [],
    parameters: new Map(),
  });
  for (const engine of ['duckdb', 'bigquery'] as const) {
    await expect(engineOf({ engine }).checkPlan(plan), engine).rejects.toThrow();
  }
  await expect(engineOf({ engine: 'bigquery' }).checkPlan(plan)).rejects.toThrow(
    'The function SESSION_USER is not supported',
  );
});
