import { GatewayError } from '../../../../base/errors/errors.ts';
import { literalConstant, typeOf, typeProto } from '../../../../engines/duckdb/fold/expression.ts';
import type { DuckDbEngine } from '../../../../engines/duckdb/run/duckdb-engine.ts';
import { newPlan, type Plan } from '../../../../sql/plan/plan.ts';
import type { AnyNode } from '../../../../sql/resolved/node.ts';
import type { Value } from '../../../../sql/values/value.ts';

/** The values of a query's parameters. */
export interface Parameters {
  readonly types: Plan['parameters'];
  readonly values: ReadonlyMap<string, Value>;
}

/** The value of a constant expression. Undefined if it fails. */
export async function constantValue(
  expression: AnyNode,
  { types, values }: Parameters,
  engine: Pick<DuckDbEngine, 'run'>,
): Promise<Value | undefined> {
  const literal = literalConstant(expression);
  if (literal !== undefined) return literal.value;
  const column = { column_id: 1, table_name: '$query', name: 'constant', type: typeProto(expression) };
  const project = {
    parent: { column_list: [column] },
    expr_list: [{ column, expr: expression }],
    input_scan: scanNode('resolved_single_row_scan_node', { parent: {} }),
  };
  const statement = scanNode('resolved_query_stmt_node', {
    output_column_list: [{ name: column.name, column }],
    query: scanNode('resolved_project_scan_node', project),
  });
  const columns = [{ name: column.name, type: typeOf(expression) }];
  const plan = newPlan({ sql: '', statement, columns, parameters: types, isCallers: false });
  try {
    const { signal } = new AbortController();
    const { rows } = await engine.run({ plan, parameters: values, maxRows: 1, signal });
    return (await rows.all())[0]?.[0];
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
}

function scanNode(kind: string, message: object): AnyNode {
  return { node: kind, [kind]: message };
}
