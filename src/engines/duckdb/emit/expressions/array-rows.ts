import { type AnyNode, asMessage, unwrap } from '../../../../sql/resolved/node.ts';
import { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { columnFromProto, type ResolvedColumn } from '../../../../sql/resolved/result-columns.ts';
import type { SqlType } from '../../../../sql/values/type.ts';
import { functionName } from '../pieces/function-name.ts';

/**
 * `UNNEST(array) AS element` with its conditions. Each condition is evaluated for elements that satisfy the ones
 * before.
 */
export interface Unnesting {
  readonly array: ResolvedNode;
  readonly element: ResolvedColumn;
  readonly conditions: readonly ResolvedNode[];
}

/** A subquery that reads only arrays: `SELECT … FROM UNNEST(a) AS x, UNNEST(x.b) AS y WHERE … LIMIT n`. */
export interface ArrayRows {
  /** Nested, outermost first. */
  readonly unnestings: readonly [Unnesting, ...Unnesting[]];
  /** The value for each row, or `count` for the number of rows. For EXISTS, the element, which is not used. */
  readonly value: ResolvedNode | ResolvedColumn | 'count';
  /** Computed columns in the value, each used once. */
  readonly computed: readonly { readonly column: ResolvedColumn; readonly value: ResolvedNode }[];
  /** The maximum number of rows. */
  readonly limit: ResolvedNode | undefined;
  /** The outermost array as received. */
  readonly outermost: unknown;
  readonly inner: readonly Inner[];
}

/** An expression, as received, that is computed for each element of a list. */
interface Inner {
  readonly part: unknown;
  /** The column id of the elements. */
  readonly element: number;
  /** Whether it is the list of an unnesting. */
  readonly isList: boolean;
}

const subqueryKind = 'resolved_subquery_expr_node';

/**
 * Reads a subquery. Undefined if it reads anything but arrays, computes what a lambda can't contain, or reads lists
 * that aren't nested in each other: a lambda can't be interrupted, so its number of steps must not exceed the number of
 * elements.
 *
 * @param node a subquery expression
 */
export function arrayRowsOf(node: ResolvedNode): ArrayRows | undefined {
  const scan = node.child('subquery');
  const type = node.raw('subquery_type') ?? 'SCALAR';
  const rows = type === 'EXISTS' ? rowsThatExist(scan) : selectedRows(scan);
  if (rows === undefined || (rows.value === 'count' && type !== 'SCALAR')) return undefined;
  const fits = ({ part, element, isList }: Inner) =>
    isList ? isPartOf(element, part) : fitsLambda(part, element);
  return rows.inner.every(fits) ? rows : undefined;
}

function rowsThatExist(scan: ResolvedNode): ArrayRows | undefined {
  if (scan.kind !== 'resolved_project_scan_node') return rowsFrom(scan);
  // EXISTS ignores the selected value.
  scan.skip('expr_list');
  return rowsFrom(scan.child('input_scan'));
}

function selectedRows(scan: ResolvedNode): ArrayRows | undefined {
  if (scan.kind === 'resolved_limit_offset_scan_node' && !scan.has('offset')) {
    const rows = selectedRows(scan.child('input_scan'));
    // A limit on the single row of a count, or on another limit, is not supported: nobody writes that.
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
    return rows && withInner(rows, [value]);
  }
  // From SELECT AS STRUCT.
  const items = source.list('expr_list');
  const computed = items.map((part) => ({ column: part.column('column'), value: part.child('expr') }));
  if (computed.some((part) => references(value, part.column.id) > 1)) return undefined;
  const rows = rowsFrom(source.child('input_scan'), item.child('expr'));
  return rows && withInner({ ...rows, computed }, [value, ...items.map((part) => part.raw('expr'))]);
}

/** @param parts expressions that are computed for the elements of the innermost list */
function withInner(rows: ArrayRows, parts: readonly unknown[]): ArrayRows {
  const element = (rows.unnestings.at(-1) ?? rows.unnestings[0]).element.id;
  return { ...rows, inner: [...rows.inner, ...parts.map((part) => ({ part, element, isList: false }))] };
}

/** Counts the uses of a column in a part of the tree. */
function references(part: unknown, id: number): number {
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return 0;
  if (!Array.isArray(part) && 'column' in part && columnFromProto(asMessage(part.column, 'column')).id === id)
    return 1;
  return Object.values(part).reduce<number>((count, inner) => count + references(inner, id), 0);
}

/** Whether a scan returns the single row of `COUNT(*)`. */
function isCount(scan: ResolvedNode): boolean {
  if (scan.kind !== 'resolved_aggregate_scan_node' || scan.has('group_by_list')) return false;
  const [item, ...others] = scan.list('aggregate_list');
  if (item === undefined || others.length > 0) return false;
  const call = item.child('expr');
  // These fields describe the only column; counting can't fail, and has no argument that could be NULL.
  item.skip('column');
  for (const field of ['type', 'error_mode', 'null_handling_modifier']) call.skip(field);
  return functionName(call).key === '$count_star';
}

function rowsFrom(source: ResolvedNode, value?: ArrayRows['value']): ArrayRows | undefined {
  const parts: Inner[] = [];
  const [first, ...others] = unnestingsOf(source, parts) ?? [];
  const [outermost, ...inner] = parts;
  if (first === undefined || outermost === undefined) return undefined;
  const unnestings: ArrayRows['unnestings'] = [first, ...others];
  return {
    ...{ unnestings, inner, computed: [], limit: undefined },
    value: value ?? first.element,
    outermost: outermost.part,
  };
}

/** @param parts receives the arrays and conditions as received, the outermost array first */
function unnestingsOf(scan: ResolvedNode, parts: Inner[]): readonly Unnesting[] | undefined {
  switch (scan.kind) {
    case 'resolved_single_row_scan_node':
      return [];
    case 'resolved_project_scan_node':
      return scan.has('expr_list') ? undefined : unnestingsOf(scan.child('input_scan'), parts);
    case 'resolved_filter_scan_node': {
      const unnestings = unnestingsOf(scan.child('input_scan'), parts);
      const innermost = unnestings?.at(-1);
      if (unnestings === undefined || innermost === undefined) return undefined;
      parts.push({ part: scan.raw('filter_expr'), element: innermost.element.id, isList: false });
      const conditions = [...innermost.conditions, ...conjuncts(scan.child('filter_expr'))];
      return [...unnestings.slice(0, -1), { ...innermost, conditions }];
    }
    case 'resolved_array_scan_node': {
      const input = scan.optionalChild('input_scan');
      const outer = input === undefined ? [] : unnestingsOf(input, parts);
      const isPlain = !scan.flag('is_outer') && !scan.has('array_offset_column') && !scan.has('join_expr');
      if (outer === undefined || !isPlain) return undefined;
      const element = scan.column('element_column');
      const around = outer.at(-1)?.element ?? element;
      parts.push({ part: scan.raw('array_expr'), element: around.id, isList: true });
      return [...outer, { array: scan.child('array_expr'), element, conditions: [] }];
    }
    default:
      return undefined;
  }
}

/** The operands of AND in a condition: a DuckDB lambda evaluates all of them, whatever the first one's value. */
function conjuncts(condition: ResolvedNode): readonly ResolvedNode[] {
  const isAnd = condition.kind === 'resolved_function_call_node' && functionName(condition).key === '$and';
  if (!isAnd) return [condition];
  condition.type();
  // AND itself can't fail, so SAFE. has no effect.
  condition.skip('error_mode');
  return condition.list('argument_list').flatMap(conjuncts);
}

/**
 * Whether an expression on an element is emitted without a SELECT, which DuckDB doesn't allow in a lambda, and reads no
 * list except those within the element.
 */
function fitsLambda(part: unknown, element: number): boolean {
  if (Array.isArray(part)) return part.every((inner) => fitsLambda(inner, element));
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return true;
  const message = part as AnyNode;
  switch (message.node) {
    case 'resolved_with_expr_node':
      return false;
    case 'resolved_column_ref_node':
    case 'resolved_get_struct_field_node': {
      const { root, isColumn } = rootOf(message);
      if (isColumn) return isPartOf(element, message) || !holdsArray(new ResolvedNode(message).type());
      return fitsLambda(root, element);
    }
    case subqueryKind: {
      const rows = arrayRowsOf(new ResolvedNode(message));
      const value = asMessage(message[subqueryKind], subqueryKind).in_expr;
      return rows !== undefined && isPartOf(element, rows.outermost) && fitsLambda(value, element);
    }
    default:
      return Object.values(message).every((inner) => fitsLambda(inner, element));
  }
}

/** The outermost owner of a nested field. */
function rootOf(expression: unknown): { readonly root: AnyNode; readonly isColumn: boolean } {
  const root = asMessage(expression, 'expr');
  const { kind, message } = unwrap(root);
  if (kind === 'resolved_get_struct_field_node') return rootOf(message.expr);
  return { root, isColumn: kind === 'resolved_column_ref_node' };
}

/** Whether an expression is a column or a field in it. */
function isPartOf(column: number, expression: unknown): boolean {
  const { root, isColumn } = rootOf(expression);
  const { message } = unwrap(root);
  return isColumn && columnFromProto(asMessage(message.column, 'column')).id === column;
}

function holdsArray(type: SqlType): boolean {
  if (type.kind === 'STRUCT') return type.fields.some((field) => holdsArray(field.type));
  return type.kind === 'ARRAY';
}
