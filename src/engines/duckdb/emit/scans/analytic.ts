import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { columnName } from '../column-name.ts';
import type { Emitter, ScanEmitter } from '../emitter.ts';
import { analyticCall } from '../expressions/analytic-call.ts';
import { withOuterColumns } from '../outer-columns.ts';
import { continued, fromItem } from '../relation.ts';
import { orderBy, type SortKey, sortKeys } from '../sort-key.ts';

export const analyticScan: ScanEmitter = (node, emitter) => {
  const source = emitter.scan(node.child('input_scan'));
  const columns = node.list('function_group_list').flatMap((group) => {
    const partition = partitionBy(group.optionalChild('partition_by'), emitter);
    const order = sortKeys(group.optionalChild('order_by')?.list('order_by_item_list') ?? []);
    return group.list('analytic_function_list').map((item) => {
      const call = item.child('expr');
      const over = `OVER (${window(partition, order, call.optionalChild('window_frame'), emitter)})`;
      return `${analyticCall(call, emitter, over)} AS ${columnName(item.column('column'))}`;
    });
  });
  const rows = withOuterColumns(fromItem(source), node.raw('function_group_list'), emitter.fieldColumns);
  return continued(source, `(SELECT ${rows.star}, ${columns.join(', ')} FROM ${rows.from})`);
};

function partitionBy(node: ResolvedNode | undefined, emitter: Emitter): readonly string[] {
  return (node?.list('partition_by_list') ?? []).map((column) => emitter.expression(column).sql);
}

function window(
  partition: readonly string[],
  order: readonly SortKey[],
  frame: ResolvedNode | undefined,
  emitter: Emitter,
): string {
  const [key] = order;
  const measured = frame !== undefined && isMeasured(frame);
  // The distance is from a single key, so NaN can't be ordered by an additional key. And a bound beyond the largest value
  // would be infinite, and include infinite rows. Both are partitioned separately.
  const apart = measured && key?.type.kind === 'FLOAT64';
  const exact = measured && key !== undefined ? exactKey(key) : undefined;
  const keys = exact === undefined ? order : [exact];
  const parts = apart
    ? [...partition, `CASE WHEN isfinite(${key.column}) THEN 0 ELSE ${key.column} END`]
    : partition;
  return [
    parts.length > 0 && `PARTITION BY ${parts.join(', ')}`,
    order.length > 0 && `ORDER BY ${orderBy(keys, apart)}`,
    frame && frameSql(frame, order, emitter),
  ]
    .filter((clause) => typeof clause === 'string')
    .join(' ');
}

/** The key as a number that is exact and has room for distances: the bounds may exceed INT64 and NUMERIC. */
function exactKey(key: SortKey): SortKey {
  switch (key.type.kind) {
    case 'INT64':
      return { ...key, column: `CAST(${key.column} AS HUGEINT)` };
    case 'NUMERIC':
      return { ...key, column: billionths(key.column) };
    default:
      return key;
  }
}

/** A NUMERIC as a whole number of its smallest unit. */
function billionths(sql: string): string {
  const whole = `trunc(${sql})`;
  return `(CAST(${whole} AS HUGEINT) * 1000000000 + CAST((${sql} - ${whole}) * 1000000000 AS HUGEINT))`;
}

/** Whether a RANGE frame has a bound at a distance from the current row. */
function isMeasured(frame: ResolvedNode): boolean {
  const ends = [frame.child('start_expr'), frame.child('end_expr')];
  return frame.raw('frame_unit') === 'RANGE' && ends.some((end) => end.has('expression'));
}

function frameSql(node: ResolvedNode, order: readonly SortKey[], emitter: Emitter): string {
  const unit = node.choice('frame_unit', ['ROWS', 'RANGE']);
  const start = boundary(node.child('start_expr'), emitter);
  const end = boundary(node.child('end_expr'), emitter);
  if (isMeasured(node)) {
    const kind = order[0]?.type.kind;
    if (kind !== 'INT64' && kind !== 'NUMERIC' && kind !== 'FLOAT64')
      throw node.refusal(`RANGE with a distance on ${kind}`);
    if (kind === 'FLOAT64' && [start, end].some((bound) => bound.startsWith('UNBOUNDED')))
      throw node.refusal('RANGE without a bound on one side and with a distance on the other, on FLOAT64');
  }
  return `${unit} BETWEEN ${start} AND ${end}`;
}

function boundary(node: ResolvedNode, emitter: Emitter): string {
  const type = node.choice('boundary_type', [
    'UNBOUNDED_PRECEDING',
    'OFFSET_PRECEDING',
    'CURRENT_ROW',
    'OFFSET_FOLLOWING',
    'UNBOUNDED_FOLLOWING',
  ]);
  switch (type) {
    case 'OFFSET_PRECEDING':
      return `${distance(node, emitter)} PRECEDING`;
    case 'OFFSET_FOLLOWING':
      return `${distance(node, emitter)} FOLLOWING`;
    default:
      return type.replace('_', ' ');
  }
}

/** HUGEINT has room for the largest NUMERIC and this distance from it. */
const mostDistance = 7e28;

function distance(boundary: ResolvedNode, emitter: Emitter): string {
  const { sql, type, constant } = emitter.expression(boundary.child('expression'));
  if (type.kind === 'NUMERIC' && Number(constant) > mostDistance)
    throw boundary.refusal(`a distance above ${mostDistance} in a RANGE frame`);
  return type.kind === 'NUMERIC' ? billionths(sql) : sql;
}
