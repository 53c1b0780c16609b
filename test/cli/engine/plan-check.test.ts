import { expect, test } from 'vitest';
import { planCheck } from '../../../src/cli/engine/plan-check.ts';

test('commands that open no engine refuse what a gateway would refuse when it loads the endpoint', () => {
  const call = { parent: { function: { name: 'ZetaSQL:session_user' }, signature: {}, argument_list: [] } };
  const scan = {
    resolved_project_scan_node: { expr_list: [{ expr: { resolved_function_call_node: call } }] },
  };
  const plan = {
    sql: 'SELECT SESSION_USER()',
    statement: { resolved_query_stmt_node: { output_column_list: [], query: scan } },
    columns: [],
    parameters: new Map(),
  };
  for (const engine of ['duckdb', 'bigquery'] as const) {
    expect(() => planCheck({ engine })(plan), engine).toThrow();
  }
  expect(() => planCheck({ engine: 'bigquery' })(plan)).toThrow('The function SESSION_USER is not supported');
});
