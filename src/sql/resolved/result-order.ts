import { type AnyNode, asMessage, fieldsOf, idOf, messages, unwrap } from './node.ts';
import { isPopulated } from './populated.ts';

/** A key of the order of a result. */
export interface ResultKey {
  /** The position of a column of the result. */
  readonly column: number;
  readonly descending: boolean;
  /** Where NULLs are, if not where GoogleSQL has them by default. */
  readonly nulls?: 'FIRST' | 'LAST';
}

/** Scans that pass on the order of their input. */
const passing: ReadonlySet<string> = new Set([
  'resolved_project_scan_node',
  'resolved_limit_offset_scan_node',
]);

/**
 * The order of a resolved query's result, by columns of the result. Empty if it has no order.
 *
 * @returns undefined if something else determines it, which the result doesn't have
 */
export function resultOrder(statement: AnyNode): readonly ResultKey[] | undefined {
  const { message } = unwrap(statement);
  const outputs = messages(message, 'output_column_list').map(({ column }) => idOf(column));
  let node = asMessage(message.query, 'query');
  for (;;) {
    const { kind, message: scan } = unwrap(node);
    const fields = fieldsOf(scan);
    if (kind === 'resolved_with_scan_node') node = asMessage(fields.query, 'query');
    else if (kind === 'resolved_order_by_scan_node')
      return keysOf(messages(fields, 'order_by_item_list'), outputs);
    else if (passing.has(kind)) node = asMessage(fields.input_scan, 'input_scan');
    else return fields.is_ordered === true ? undefined : [];
    if (kind !== 'resolved_limit_offset_scan_node' && fields.is_ordered !== true) return [];
  }
}

function keysOf(items: readonly AnyNode[], outputs: readonly string[]): readonly ResultKey[] | undefined {
  const keys = items.map(
    ({ column_ref, is_descending, null_order, collation_name }): ResultKey | undefined => {
      const column = outputs.indexOf(idOf(asMessage(column_ref, 'column_ref').column));
      if (column < 0 || isPopulated(collation_name)) return undefined;
      const nulls = nullsOf(null_order);
      return { column, descending: is_descending === true, ...(nulls && { nulls }) };
    },
  );
  return keys.every((key) => key !== undefined) ? keys : undefined;
}

function nullsOf(order: unknown): ResultKey['nulls'] {
  if (order === 'NULLS_FIRST') return 'FIRST';
  return order === 'NULLS_LAST' ? 'LAST' : undefined;
}
