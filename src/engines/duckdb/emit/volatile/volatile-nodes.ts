import { type AnyNode, asMessage, unwrap } from '../../../../sql/resolved/node.ts';
import { columnRef, makeCall } from '../tree/make-nodes.ts';

/**
 * A volatile call that is evaluated for each row of an outer query: DuckDB evaluates a correlated subquery once for
 * equal values of the outer columns that it uses. The node has the fields `type`, `call` and `row`, a column that
 * differs in each of these rows.
 */
export const perRowKind = 'gateway_per_row_node';

/** A volatile call as a node of {@link perRowKind}; the call itself without a column. */
export function perRow(call: AnyNode, row: AnyNode | undefined, type: unknown): AnyNode {
  if (row === undefined) return call;
  return { node: perRowKind, [perRowKind]: { type, call, row: columnRef(row, true) } };
}

/** The type FLOAT64. */
export const floatType: AnyNode = { type_kind: 'TYPE_DOUBLE' };

/** A call of `RAND()`. */
export const randCall = makeCall('rand', [], { type: floatType });

/** A scan of one row without columns. */
export const singleRow: AnyNode = {
  node: 'resolved_single_row_scan_node',
  resolved_single_row_scan_node: { parent: {} },
};

/** The message with every field changed, also those of its base types. */
export function mapFields(message: AnyNode, change: (field: string, value: unknown) => unknown): AnyNode {
  return Object.fromEntries(
    Object.entries(message).map(([field, value]) => [
      field,
      field === 'parent' && typeof value === 'object' && value !== null
        ? mapFields(value as AnyNode, change)
        : change(field, value),
    ]),
  );
}

/** Whether a query has no FROM. */
export function isWithoutFrom(scan: AnyNode): boolean {
  const { kind, message } = unwrap(scan);
  if (kind === 'resolved_single_row_scan_node') return true;
  return kind === 'resolved_project_scan_node' && isWithoutFrom(asMessage(message.input_scan, 'input_scan'));
}
