import { nodesOf } from '../plan/tree-nodes.ts';
import { type AnyNode, asList, asMessage, unwrap } from '../resolved/node.ts';

/** The analyzer's name for the table of select expressions that it computes before grouping. */
const computedBefore = '$pre_groupby';

/** Expressions that are computed for each of their occurrences. */
const computedApart =
  /"node":"resolved_subquery_expr_node"|"name":"(?:ZetaSQL|Gateway):(?:rand|generate_uuid)"/i;

/** What {@link noteGrouping} adds to an aggregate scan with grouping sets. */
interface GroupingNotes {
  /** The keys with the expression of an earlier key: the analyzer makes two keys of `x + 1 AS y` for `ROLLUP (y, x + 1)`. */
  readonly equal_keys: readonly { readonly key: AnyNode; readonly first: AnyNode }[];
  /**
   * Whether a literal whole number is listed twice. The analyzer confuses it with a position in the select list: with
   * `SELECT x, 1`, it takes `GROUPING SETS (2, 1)` for two times the literal, instead of the literal and `x`.
   */
  readonly confused_position: boolean;
}

/**
 * Adds notes to the aggregate scans with grouping sets, for engines that run the tree. They must be taken from the tree
 * as analyzed: once constants are replaced by values, different keys look equal.
 */
export function noteGrouping(statement: AnyNode): void {
  for (const scan of nodesOf('resolved_aggregate_scan_node', statement)) {
    const base = asMessage(scan.parent, 'parent');
    if (asList(base.grouping_set_list, 'grouping_set_list').length > 0) {
      const notes: GroupingNotes = { equal_keys: equalKeys(base), confused_position: hasConfused(base) };
      Object.assign(base, notes);
    }
  }
}

function keysOf(base: AnyNode): { readonly column: AnyNode; readonly expr: AnyNode }[] {
  return asList(base.group_by_list, 'group_by_list').map((item) => {
    const { column, expr } = asMessage(item, 'group_by_list');
    return { column: asMessage(column, 'column'), expr: asMessage(expr, 'expr') };
  });
}

function equalKeys(base: AnyNode): GroupingNotes['equal_keys'] {
  const before = expressionsBefore(asMessage(base.input_scan, 'input_scan'));
  const firsts = new Map<string, AnyNode>();
  return keysOf(base).flatMap(({ column, expr }) => {
    const text = textOf(expr, before);
    const first = firsts.get(text);
    if (first !== undefined && !computedApart.test(text)) return { key: column, first };
    firsts.set(text, column);
    return [];
  });
}

/** The expressions that the analyzer computes before grouping, by the id of their column. */
function expressionsBefore(input: AnyNode): ReadonlyMap<string, unknown> {
  const { kind, message } = unwrap(input);
  if (kind !== 'resolved_project_scan_node') return new Map();
  return new Map(
    asList(message.expr_list, 'expr_list')
      .map((item) => asMessage(item, 'expr_list'))
      .map(({ column, expr }) => [asMessage(column, 'column'), expr] as const)
      .filter(([column]) => column.table_name === computedBefore)
      .map(([column, expr]) => [String(column.column_id), expr]),
  );
}

/** A text that is the same for the same expressions only. */
function textOf(expression: AnyNode, before: ReadonlyMap<string, unknown>): string {
  return JSON.stringify(expression, (field, value: unknown) => {
    if (field === 'parse_location_range') return undefined;
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null || !('resolved_column_ref_node' in value)) return value;
    const reference = asMessage(value.resolved_column_ref_node, 'resolved_column_ref_node');
    return before.get(String(asMessage(reference.column, 'column').column_id)) ?? value;
  });
}

function hasConfused(base: AnyNode): boolean {
  const sets = JSON.stringify(base.grouping_set_list, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return keysOf(base).some(({ column, expr }) => {
    const { kind, message } = unwrap(expr);
    if (kind !== 'resolved_literal_node' || !('int64_value' in literalOf(message))) return false;
    return sets.split(`"column_id":"${column.column_id}"`).length > 2;
  });
}

function literalOf(literal: AnyNode): AnyNode {
  return asMessage(asMessage(literal.value, 'value').value ?? {}, 'value');
}
