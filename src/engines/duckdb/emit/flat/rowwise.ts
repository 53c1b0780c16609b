import { nodesOf } from '../../../../sql/plan/tree-nodes.ts';
import { asList, asMessage } from '../../../../sql/resolved/node.ts';
import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import type { Emitter } from '../emitter/emitter.ts';
import { tableName } from '../pieces/table-name.ts';
import { differs } from '../volatile/differs.ts';

/**
 * Whether a scan computes its rows one by one from those of a single table with two forms. Its result is then the
 * concatenation of its results for each form.
 */
export function isRowwise(node: ResolvedNode, emitter: Emitter): boolean {
  if (emitter.notFlat.has(node) || hasSharedValue(node, emitter)) return false;
  switch (node.kind) {
    case 'resolved_table_scan_node':
      return emitter.context.flatTableSql?.(tableName(node)) !== undefined;
    case 'resolved_filter_scan_node':
    case 'resolved_project_scan_node':
    case 'resolved_order_by_scan_node':
    case 'resolved_array_scan_node': {
      const input = node.optionalChild('input_scan');
      return input !== undefined && isRowwise(input, emitter);
    }
    case 'resolved_with_ref_scan_node': {
      const entry = emitter.ctes.find(node.text('with_query_name'));
      return 'subquery' in entry && isRowwise(entry.subquery, emitter);
    }
    default:
      return false;
  }
}

/**
 * Whether a scan has a subquery that is evaluated once for all rows and has another value each time. Over two forms it would
 * have two values.
 */
function hasSharedValue(node: ResolvedNode, emitter: Emitter): boolean {
  if (!emitter.context.isVolatile) return false;
  return nodesOf('resolved_subquery_expr_node', node.arrived).some((subquery) => {
    const isShared = asList(subquery.parameter_list, 'parameter_list').length === 0;
    return isShared && differs(asMessage(subquery.subquery, 'subquery'), emitter);
  });
}
