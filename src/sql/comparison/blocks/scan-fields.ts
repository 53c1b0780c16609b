import { type AnyNode, fieldsOf, unwrap } from '../../resolved/node.ts';
import { entryName } from '../trees/normal-query.ts';
import { isMessage } from '../trees/rebuilt.ts';
import type { Block, JoinKind } from './block.ts';

/** The fields of scans that are read. */
export const knownFields: Readonly<Record<string, ReadonlySet<string>>> = {
  resolved_table_scan_node: new Set(['table', 'column_index_list']),
  resolved_with_ref_scan_node: new Set(['with_query_name']),
  resolved_join_scan_node: new Set(['join_type', 'left_scan', 'right_scan', 'join_expr']),
  resolved_array_scan_node: new Set([
    ...['input_scan', 'array_expr', 'array_expr_list', 'element_column', 'element_column_list'],
    ...['array_offset_column', 'join_expr', 'is_outer'],
  ]),
  resolved_set_operation_scan_node: new Set([...['op_type', 'input_item_list']]),
  resolved_filter_scan_node: new Set(['input_scan', 'filter_expr']),
  resolved_project_scan_node: new Set(['input_scan', 'expr_list']),
  resolved_aggregate_scan_node: new Set([
    ...['input_scan', 'group_by_list', 'aggregate_list'],
    ...['grouping_set_list', 'rollup_column_list', 'grouping_call_list'],
  ]),
  resolved_analytic_scan_node: new Set(['input_scan', 'function_group_list']),
  resolved_order_by_scan_node: new Set(['input_scan', 'order_by_item_list']),
  resolved_limit_offset_scan_node: new Set(['input_scan', 'limit', 'offset']),
};

export function joinKind(type: unknown): JoinKind {
  return type === 'LEFT' || type === 'RIGHT' || type === 'FULL' ? type : 'INNER';
}

export function inputOf(scan: AnyNode): unknown {
  return fieldsOf(unwrap(scan).message).input_scan;
}

export function nameOf(column: AnyNode): string {
  return String(column.name ?? '').replace(/^\$/, '');
}

/** The name of the WITH entry that a scan was, or that is the outermost in it. */
export function nearestName(scan: unknown): string | undefined {
  for (let at = scan; isMessage(at); ) {
    const name = (at as { readonly [entryName]?: string })[entryName];
    if (name !== undefined) return name;
    at = fieldsOf(unwrap(at).message).input_scan;
  }
  return undefined;
}

/** What a block reads, for its label. */
export function readBy({ relations }: Pick<Block, 'relations'>): string {
  return relations.map(({ label, content }) => (content.kind === 'row' ? 'no table' : label)).join(', ');
}

/** The name, or the name with a number if it is taken. */
export function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}#${number}`;
  taken.add(free);
  return free;
}
