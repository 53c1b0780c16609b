import { type AnyNode, asList, asMessage, unwrap } from '../../../../sql/resolved/node.ts';

/** The columns of a scan in the resolved tree, from a field of its base type. Empty for a node that is not a scan. */
export function scanColumns(scan: unknown): readonly AnyNode[] {
  if (typeof scan !== 'object' || scan === null || Array.isArray(scan)) return [];
  for (let base = unwrap(scan as AnyNode).message.parent; typeof base === 'object' && base !== null; ) {
    const message = base as AnyNode;
    if ('column_list' in message) {
      return asList(message.column_list, 'column_list').map((column) => asMessage(column, 'column'));
    }
    base = message.parent;
  }
  return [];
}

/** The id of a column of the resolved tree. */
export function columnId(column: unknown): number {
  return Number(asMessage(column, 'column').column_id);
}
