import { memoized } from '../../base/async/memoized.ts';
import { asMessage, unwrap } from '../resolved/node.ts';
import { type Plan, statementOf } from './plan.ts';
import { nodesOf } from './tree-nodes.ts';

/** Whether a parameter is used outside the entries of the outermost WITH clause. */
export const hasParameterOutsideEntries = memoized((plan: Plan) => {
  const query = asMessage(unwrap(statementOf(plan)).message.query, 'query');
  const { kind, message } = unwrap(query);
  const outside = kind === 'resolved_with_scan_node' ? message.query : query;
  return nodesOf('resolved_parameter_node', outside).length > 0;
});
