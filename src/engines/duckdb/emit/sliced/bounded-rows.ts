import { nodesOf } from '../../../../sql/plan/tree-nodes.ts';
import {
  type AnyNode,
  asMessage,
  columnIds,
  fieldsOf,
  idOf,
  isPresent,
  rewrap,
  unwrap,
  withField,
} from '../../../../sql/resolved/node.ts';
import { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { scanConstruct } from '../../../engine/scan-construct.ts';
import { type Constant, constantKind, constantOf } from '../../dialect/constant.ts';
import { functionCall, literalConstant, withArguments } from '../../fold/expression.ts';
import { tableName } from '../pieces/table-name.ts';
import { columnRef, filtered } from '../tree/make-nodes.ts';
import type { NewColumns } from '../tree/new-columns.ts';
import { scanColumns } from '../tree/scan-columns.ts';
import { NotMergeable } from './not-mergeable.ts';

/** A bound of the times that a query reads. */
export interface TimeBound {
  readonly operator: '=' | '<' | '<=' | '>' | '>=';
  readonly time: Constant;
}

/** The rows of a scan without its bounds of time. */
export interface BoundedRows {
  /** The scan, with the time as a further column and a mark in place of the bounds: see {@link rangeKind}. */
  readonly scan: AnyNode;
  /** The column with the time. */
  readonly time: AnyNode;
  /** The table that the rows come from. */
  readonly table: string;
  readonly bounds: readonly TimeBound[];
}

/** What a scan is in a statement. */
export interface RowsContext {
  /** Distinguishes the marks of several aggregations. */
  readonly number: number;
  readonly newColumns: NewColumns;
  parameter(name: string): Constant | undefined;
  /** The name of the column by which a table is ordered. Undefined if it is none of type TIMESTAMP. */
  timeName(table: string): string | undefined;
  /** The entry of a WITH clause, for one reference. Its other references keep their own. */
  entry(name: string): {
    readonly name: string;
    readonly subquery: AnyNode;
    replace(subquery: AnyNode): void;
  };
}

/**
 * A condition that the analyzer doesn't produce: that a time is in the ranges that a run reads, which are put into the SQL by
 * `slicedSql`.
 */
export const rangeKind = 'gateway_time_range_node';

/** Scans that make each row, or several or none, from one row of their input, and from nothing else. */
const rowwise: ReadonlySet<string> = new Set([
  'resolved_filter_scan_node',
  'resolved_project_scan_node',
  'resolved_array_scan_node',
  'resolved_order_by_scan_node',
]);

/**
 * Takes the bounds of time out of a scan that computes its rows one by one from those of one table. For any ranges of time, the
 * rows of the scan with these ranges are its rows whose times are in them.
 *
 * @throws NotMergeable for any other scan
 */
export function boundedRows(node: AnyNode, context: RowsContext): BoundedRows {
  const { kind, message } = unwrap(node);
  const at = new ResolvedNode(node).byteOffset;
  if (kind === 'resolved_table_scan_node') return tableRows(node, context);
  if (kind === 'resolved_with_ref_scan_node') return entryRows(node, context);
  const fields = fieldsOf(message);
  const { input_scan: input } = fields;
  if (!rowwise.has(kind) || !isPresent(input)) throw new NotMergeable(scanConstruct(kind), at);
  const rows = boundedRows(asMessage(input, 'input_scan'), context);
  const { input_scan: _, parent: __, ...expressions } = fields;
  for (const part of [
    nodesOf('resolved_table_scan_node', expressions),
    nodesOf('resolved_with_ref_scan_node', expressions),
  ])
    if (part.length > 0) throw new NotMergeable('a subquery that reads rows', at);
  const withInput = (scan: AnyNode) =>
    withColumn(rewrap(node, withField(message, 'input_scan', scan)), rows.time);
  if (kind !== 'resolved_filter_scan_node') return { ...rows, scan: withInput(rows.scan) };
  const { kept, bounds } = withoutBounds(asMessage(fields.filter_expr, 'filter_expr'), rows.time, context);
  const scan = kept === undefined ? rows.scan : withInput(rows.scan);
  const condition =
    kept === undefined ? scan : rewrap(scan, withField(unwrap(scan).message, 'filter_expr', kept));
  return { ...rows, scan: condition, bounds: [...rows.bounds, ...bounds] };
}

function tableRows(node: AnyNode, { number, newColumns, timeName }: RowsContext): BoundedRows {
  const { message } = unwrap(node);
  const columns = scanColumns(node);
  const scanned = new ResolvedNode(node);
  const table = tableName(scanned);
  const timeOfTable = timeName(table);
  if (timeOfTable === undefined)
    throw new NotMergeable('a table that no TIMESTAMP orders', scanned.byteOffset);
  const isTime = ({ name, type }: AnyNode) =>
    String(name).toLowerCase() === timeOfTable.toLowerCase() &&
    asMessage(type, 'type').type_kind === 'TYPE_TIMESTAMP';
  const time = columns.find(isTime) ?? {
    column_id: newColumns.next(),
    table_name: table,
    name: timeOfTable,
    type: { type_kind: 'TYPE_TIMESTAMP' },
  };
  const scan = withColumn(rewrap(node, { ...message }), time);
  const range = { node: rangeKind, [rangeKind]: { number, time: columnRef(time, false) } };
  return { scan: filtered(scan, range), time, table, bounds: [] };
}

function entryRows(node: AnyNode, context: RowsContext): BoundedRows {
  const { message } = unwrap(node);
  const entry = context.entry(String(message.with_query_name));
  const rows = boundedRows(entry.subquery, context);
  entry.replace(rows.scan);
  // Columns of an entry are passed on by position.
  const position = columnIds(rows.scan).indexOf(idOf(rows.time));
  const before = scanColumns(node);
  const time = before[position] ?? { ...rows.time, column_id: context.newColumns.next() };
  const renamed = rewrap(node, { ...message, with_query_name: entry.name });
  return { ...rows, scan: withColumn(renamed, time), time };
}

/** The scan with a further column of its input, if it doesn't have it. */
function withColumn(scan: AnyNode, column: AnyNode): AnyNode {
  if (columnIds(scan).includes(idOf(column))) return scan;
  const { message } = unwrap(scan);
  // The list is a field of the base type of all scans.
  const based = isPresent(message.parent) ? message : { ...message, parent: {} };
  return rewrap(scan, withField(based, 'column_list', [...scanColumns(scan), column]));
}

const comparisons: Readonly<
  Record<string, readonly [TimeBound['operator'], exchanged: TimeBound['operator']]>
> = {
  $equal: ['=', '='],
  $less: ['<', '>'],
  $less_or_equal: ['<=', '>='],
  $greater: ['>', '<'],
  $greater_or_equal: ['>=', '<='],
};

interface Conditions {
  /** Undefined if nothing is left. */
  readonly kept: AnyNode | undefined;
  readonly bounds: readonly TimeBound[];
}

/** The condition without the parts of it that compare the time with a constant. */
function withoutBounds(condition: AnyNode, time: AnyNode, context: RowsContext): Conditions {
  const call = functionCall(condition);
  if (call?.name === '$and') {
    const parts = call.arguments.map((part) => withoutBounds(part, time, context));
    const bounds = parts.flatMap((part) => part.bounds);
    if (bounds.length === 0) return { kept: condition, bounds };
    const kept = parts.flatMap((part) => (part.kept === undefined ? [] : [part.kept]));
    const [only] = kept;
    return { kept: kept.length > 1 ? withArguments(condition, kept) : only, bounds };
  }
  const bounds = call === undefined ? undefined : boundsOf(call, time, context);
  return bounds === undefined ? { kept: condition, bounds: [] } : { kept: undefined, bounds };
}

function boundsOf(
  { name, arguments: args }: NonNullable<ReturnType<typeof functionCall>>,
  time: AnyNode,
  context: RowsContext,
): readonly TimeBound[] | undefined {
  const [first, second, third] = args;
  if (first === undefined || second === undefined) return undefined;
  const bound = (column: AnyNode, operator: TimeBound['operator'], value: AnyNode): TimeBound | undefined => {
    const constant = isColumn(column, time) ? constantTime(value, context) : undefined;
    return constant && { operator, time: constant };
  };
  if (name === '$between' && third !== undefined) {
    const both = [bound(first, '>=', second), bound(first, '<=', third)].filter((each) => each !== undefined);
    return both.length === 2 ? both : undefined;
  }
  const comparison = Object.hasOwn(comparisons, name) ? comparisons[name] : undefined;
  if (comparison === undefined) return undefined;
  const found = bound(first, comparison[0], second) ?? bound(second, comparison[1], first);
  return found && [found];
}

function isColumn(expression: AnyNode, column: AnyNode): boolean {
  const { kind, message } = unwrap(expression);
  return kind === 'resolved_column_ref_node' && idOf(message.column) === idOf(column);
}

/** The value of a constant TIMESTAMP. Undefined for NULL, and for what isn't constant. */
function constantTime(expression: AnyNode, { parameter }: RowsContext): Constant | undefined {
  const { kind, message } = unwrap(expression);
  const constant =
    kind === 'resolved_parameter_node'
      ? parameter(String(message.name))
      : kind === constantKind
        ? constantOf(message)
        : literalConstant(expression);
  return constant?.isNull === false ? constant : undefined;
}
