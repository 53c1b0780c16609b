import { columnFromProto, type ResolvedColumn } from '../../../../sql/resolved/column.ts';
import { type AnyNode, asMessage } from '../../../../sql/resolved/node.ts';
import { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { functionName } from './function-name.ts';

/** `UNNEST(array) AS element`, and what has to hold for an element. Each condition is for those that meet the ones before. */
export interface Unnesting {
  readonly array: ResolvedNode;
  readonly element: ResolvedColumn;
  readonly conditions: readonly ResolvedNode[];
}

/** A subquery that reads nothing but arrays: `SELECT … FROM UNNEST(a) AS x, UNNEST(x.b) AS y WHERE … LIMIT n`. */
export interface ArrayRows {
  /** One within the other, from the outermost on. */
  readonly unnestings: readonly [Unnesting, ...Unnesting[]];
  /** What it gives for a row, or that it gives how many there are. For EXISTS the element, which nobody looks at. */
  readonly value: ResolvedNode | ResolvedColumn | 'count';
  /** Columns that stand in the value, each once, and what they are. */
  readonly computed: readonly { readonly column: ResolvedColumn; readonly value: ResolvedNode }[];
  /** How many rows are taken. */
  readonly limit: ResolvedNode | undefined;
  /** The outermost array as it arrived, and the expressions that are computed for elements. */
  readonly outermost: unknown;
  readonly inner: readonly unknown[];
}

const subqueryKind = 'resolved_subquery_expr_node';

/**
 * Reads a subquery. Undefined: it reads something else than arrays, or computes what can't be in a lambda.
 *
 * @param node a subquery expression
 */
export function arrayRowsOf(node: ResolvedNode): ArrayRows | undefined {
  const scan = node.child('subquery');
  const type = node.raw('subquery_type') ?? 'SCALAR';
  const rows = type === 'EXISTS' ? rowsThatExist(scan) : selectedRows(scan);
  if (rows === undefined || (rows.value === 'count' && type !== 'SCALAR')) return undefined;
  return fitsLambda(rows.outermost) && rows.inner.every(fitsLambda) ? rows : undefined;
}

function rowsThatExist(scan: ResolvedNode): ArrayRows | undefined {
  if (scan.kind !== 'resolved_project_scan_node') return rowsFrom(scan);
  // What would be selected doesn't matter.
  scan.skip('expr_list');
  return rowsFrom(scan.child('input_scan'));
}

function selectedRows(scan: ResolvedNode): ArrayRows | undefined {
  if (scan.kind === 'resolved_limit_offset_scan_node' && !scan.has('offset')) {
    const rows = selectedRows(scan.child('input_scan'));
    // A limit on the one row of a count, or on another limit, is nothing that people write.
    const isCuttable = rows !== undefined && rows.limit === undefined && rows.value !== 'count';
    return isCuttable ? { ...rows, limit: scan.child('limit') } : undefined;
  }
  const [column, ...others] = scan.columns('column_list');
  if (scan.kind !== 'resolved_project_scan_node' || column === undefined || others.length > 0)
    return undefined;
  const source = scan.child('input_scan');
  const [item, ...more] = scan.list('expr_list');
  if (item === undefined) {
    return isCount(source) ? rowsFrom(source.child('input_scan'), 'count') : rowsFrom(source, column);
  }
  if (more.length > 0 || item.column('column').id !== column.id) return undefined;
  const value = item.raw('expr');
  if (source.kind !== 'resolved_project_scan_node' || !source.has('expr_list')) {
    const rows = rowsFrom(source, item.child('expr'));
    return rows && { ...rows, inner: [...rows.inner, value] };
  }
  // As of SELECT AS STRUCT.
  const items = source.list('expr_list');
  const computed = items.map((part) => ({ column: part.column('column'), value: part.child('expr') }));
  if (computed.some((part) => references(value, part.column.id) > 1)) return undefined;
  const rows = rowsFrom(source.child('input_scan'), item.child('expr'));
  return (
    rows && { ...rows, computed, inner: [...rows.inner, value, ...items.map((part) => part.raw('expr'))] }
  );
}

/** How often a column stands in a part of the tree. */
function references(part: unknown, id: number): number {
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return 0;
  if (!Array.isArray(part) && 'column' in part && columnFromProto(asMessage(part.column, 'column')).id === id)
    return 1;
  return Object.values(part).reduce<number>((count, inner) => count + references(inner, id), 0);
}

/** Whether a scan gives the one row of `COUNT(*)`. */
function isCount(scan: ResolvedNode): boolean {
  if (scan.kind !== 'resolved_aggregate_scan_node' || scan.has('group_by_list')) return false;
  const [item, ...others] = scan.list('aggregate_list');
  if (item === undefined || others.length > 0) return false;
  const call = item.child('expr');
  // They are the only column and its type, counting can't fail, and there is no argument that could be NULL.
  item.skip('column');
  for (const field of ['type', 'error_mode', 'null_handling_modifier']) call.skip(field);
  return functionName(call).key === '$count_star';
}

function rowsFrom(source: ResolvedNode, value?: ArrayRows['value']): ArrayRows | undefined {
  const inner: unknown[] = [];
  const [first, ...others] = unnestingsOf(source, inner) ?? [];
  if (first === undefined) return undefined;
  const [outermost, ...rest] = inner;
  return {
    unnestings: [first, ...others],
    value: value ?? first.element,
    computed: [],
    limit: undefined,
    outermost,
    inner: rest,
  };
}

/** @param parts takes the arrays and conditions as they arrived, the outermost array first */
function unnestingsOf(scan: ResolvedNode, parts: unknown[]): readonly Unnesting[] | undefined {
  switch (scan.kind) {
    case 'resolved_single_row_scan_node':
      return [];
    case 'resolved_project_scan_node':
      return scan.has('expr_list') ? undefined : unnestingsOf(scan.child('input_scan'), parts);
    case 'resolved_filter_scan_node': {
      const unnestings = unnestingsOf(scan.child('input_scan'), parts);
      const innermost = unnestings?.at(-1);
      if (unnestings === undefined || innermost === undefined) return undefined;
      parts.push(scan.raw('filter_expr'));
      const conditions = [...innermost.conditions, ...conjuncts(scan.child('filter_expr'))];
      return [...unnestings.slice(0, -1), { ...innermost, conditions }];
    }
    case 'resolved_array_scan_node': {
      const input = scan.optionalChild('input_scan');
      const outer = input === undefined ? [] : unnestingsOf(input, parts);
      const isPlain = !scan.flag('is_outer') && !scan.has('array_offset_column') && !scan.has('join_expr');
      if (outer === undefined || !isPlain) return undefined;
      parts.push(scan.raw('array_expr'));
      const element = scan.column('element_column');
      return [...outer, { array: scan.child('array_expr'), element, conditions: [] }];
    }
    default:
      return undefined;
  }
}

/** The parts of a condition that are joined by AND: in a lambda DuckDB computes all of them, whatever the first says. */
function conjuncts(condition: ResolvedNode): readonly ResolvedNode[] {
  const isAnd = condition.kind === 'resolved_function_call_node' && functionName(condition).key === '$and';
  if (!isAnd) return [condition];
  condition.type();
  // It can't fail by itself, whatever SAFE. would say.
  condition.skip('error_mode');
  return condition.list('argument_list').flatMap(conjuncts);
}

/** Whether a part of the tree is emitted without a SELECT, of which DuckDB allows none in a lambda. */
function fitsLambda(part: unknown): boolean {
  if (Array.isArray(part)) return part.every(fitsLambda);
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return true;
  const message = part as AnyNode;
  if (message.node === 'resolved_with_expr_node') return false;
  if (message.node !== subqueryKind) return Object.values(message).every(fitsLambda);
  const subquery = asMessage(message[subqueryKind], subqueryKind);
  return fitsLambda(subquery.in_expr) && arrayRowsOf(new ResolvedNode(message)) !== undefined;
}
