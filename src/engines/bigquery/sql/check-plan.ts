import { GatewayError } from '../../../base/errors/errors.ts';
import { bigQueryGroup } from '../../../sql/analyzer/declared-functions.ts';
import { type Plan, statementOf } from '../../../sql/plan/plan.ts';
import { resolvedLeaves, visitFields } from '../../../sql/plan/tree-nodes.ts';
import { type AnyNode, asMessage } from '../../../sql/resolved/node.ts';

/** Constructs with which a query could read more than tables, parameters and the clock. */
const refusedKinds: ReadonlyMap<string, string> = new Map([
  ['resolved_system_variable_node', 'System variables'],
  ['resolved_catalog_column_ref_node', 'Columns of the catalog'],
  ['resolved_tvfscan_node', 'Table-valued functions'],
  ['resolved_model_node', 'Models'],
  ['resolved_connection_node', 'Connections'],
]);

/** Functions that return the current user or call other services. */
const refusedFunctions =
  /^(?:session_user|current_user|secure_context|external_query|keys\.\w+|aead\.\w+|deterministic_\w+|ml\.\w+|ai\.\w+|generate_\w+embedding)$/i;

/**
 * Refuses queries that would read the session, or BigQuery's own state and services. The analyzer currently knows none
 * of these; the check protects ad-hoc queries if it learns them. BigQuery can run everything else that the analyzer
 * accepts. Functions that the operator declares, or a stored query defines, are allowed: ad-hoc queries can't call them.
 *
 * @throws GatewayError QUERY_FAILED naming the construct
 */
export async function checkPlan(plan: Plan): Promise<void> {
  visitFields(statementOf(plan), resolvedLeaves, (field, value) => {
    const refused = refusedKinds.get(field);
    if (refused !== undefined) throw new GatewayError('QUERY_FAILED', `${refused} are not supported`);
    if (field === 'function') checkFunction(asMessage(value, field));
  });
}

/** @param node `{name: 'ZetaSQL:session_user'}` */
function checkFunction({ name }: AnyNode): void {
  if (typeof name !== 'string' || name.startsWith(`${bigQueryGroup}:`)) return;
  const called = name.slice(name.indexOf(':') + 1);
  if (refusedFunctions.test(called))
    throw new GatewayError('QUERY_FAILED', `The function ${called.toUpperCase()} is not supported`);
}
