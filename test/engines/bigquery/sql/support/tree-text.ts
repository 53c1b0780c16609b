/** Rows that are wanted of queries whose trees are compared: no query's own LIMIT is the one after it. */
export const treeMaxRows = 123_456;

/** What says nothing of a query's meaning, or follows from its tables' names. */
const left = new Set(['parse_location_range', 'is_ordered', 'alias', 'table_name', 'serialization_id']);

/** A tree without those, and without the LIMIT that the gateway adds. */
function compared(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(compared);
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return part;
  const node = part as Record<string, unknown>;
  const limit = node.resolved_limit_offset_scan_node as { limit?: unknown; input_scan?: unknown } | undefined;
  if (limit !== undefined && JSON.stringify(limit.limit).includes(`"${treeMaxRows + 1}"`)) {
    return compared(limit.input_scan);
  }
  const fields = Object.entries(node)
    .filter(([field]) => !left.has(field))
    .map(([field, value]): [string, unknown] => [
      field,
      field === 'table' ? sourceOf(value as { full_name?: string; name?: string }) : compared(value),
    ]);
  return Object.fromEntries(fields.filter(([, value]) => JSON.stringify(value) !== '{}'));
}

/** BigQuery's tables of these tests are called as their sources. */
function sourceOf({ full_name, name }: { full_name?: string; name?: string }): string {
  return ((full_name || name) ?? '').replace(/^.*\./, '');
}

/** A resolved statement as text, to compare. */
export function treeText(statement: unknown): string {
  return JSON.stringify(compared(statement), null, 1);
}
