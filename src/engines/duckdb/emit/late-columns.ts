import { visitFields } from '../../../sql/plan/tree-nodes.ts';
import { type AnyNode, asList, asMessage, unwrap } from '../../../sql/resolved/node.ts';
import { columnFromProto } from '../../../sql/resolved/result-columns.ts';
import type { SqlType } from '../../../sql/values/type.ts';
import { columnId, scanColumns } from './tree/scan-columns.ts';

/** Fields of a tree that contain no column uses. */
const leaves = new Set([
  'type',
  'column',
  'column_list',
  'output_column_list',
  'signature',
  'value',
  'table',
]);

/** Types with large values that are slow to read. */
const wideTypes: ReadonlySet<SqlType['kind']> = new Set(['ARRAY', 'STRUCT', 'JSON']);

/**
 * The columns of a table that a query only passes on to its result: no condition, order or expression uses them. They
 * can be read after the result's rows are known. Empty unless one of them is wide.
 *
 * @param references the number of references to each CTE
 * @returns the ids of the table scan's columns
 */
export function lateColumns(
  statement: AnyNode,
  references: ReadonlyMap<string, number>,
): ReadonlySet<number> {
  const { message } = unwrap(statement);
  const query = asMessage(message.query, 'query');
  const used = usedColumns(query);
  const passed = new Set(
    asList(message.output_column_list, 'output_column_list').map((output) =>
      columnId(asMessage(output, 'output').column),
    ),
  );
  const columns = scannedColumns(query, passed, used, references);
  const isWide = columns.some((column) => wideTypes.has(columnFromProto(column).type.kind));
  return new Set(isWide ? columns.map(columnId) : []);
}

function usedColumns(part: unknown): ReadonlySet<number> {
  const used = new Set<number>();
  visitFields(part, leaves, (field, value) => {
    if (field === 'column') used.add(columnId(value));
  });
  return used;
}

/** Follows columns from the result to the scan of a table. Empty if anything but projections is in between. */
function scannedColumns(
  query: AnyNode,
  output: ReadonlySet<number>,
  used: ReadonlySet<number>,
  references: ReadonlyMap<string, number>,
): readonly AnyNode[] {
  const entries = new Map<string, AnyNode>();
  let passed = output;
  let scan: unknown = query;
  for (;;) {
    const { kind, message } = unwrap(asMessage(scan, 'scan'));
    switch (kind) {
      case 'resolved_with_scan_node':
        for (const item of asList(message.with_entry_list, 'with_entry_list')) {
          const entry = asMessage(item, 'entry');
          entries.set(String(entry.with_query_name), asMessage(entry.with_subquery, 'with_subquery'));
        }
        scan = message.query;
        break;
      case 'resolved_project_scan_node':
      case 'resolved_filter_scan_node':
      case 'resolved_order_by_scan_node':
      case 'resolved_limit_offset_scan_node':
      case 'resolved_array_scan_node':
        scan = message.input_scan;
        break;
      case 'resolved_with_ref_scan_node': {
        const name = String(message.with_query_name);
        const entry = entries.get(name);
        if (entry === undefined || references.get(name) !== 1) return [];
        const outer = scanColumns(message);
        passed = new Set(
          scanColumns(entry)
            .filter((_, i) => isPassed(outer[i], passed, used))
            .map(columnId),
        );
        scan = entry;
        break;
      }
      case 'resolved_table_scan_node':
        return scanColumns(message).filter((column) => isPassed(column, passed, used));
      default:
        return [];
    }
    if (scan === undefined || scan === null) return [];
  }
}

function isPassed(column: unknown, passed: ReadonlySet<number>, used: ReadonlySet<number>): boolean {
  const id = columnId(column);
  return passed.has(id) && !used.has(id);
}
