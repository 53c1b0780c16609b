import { textRange } from '../../../sql/plan/parse-tree.ts';
import { type AnyNode, asMessage, idOf, isPresent, messages, unwrap } from '../../../sql/resolved/node.ts';
import { isPopulated } from '../../../sql/resolved/populated.ts';
import { canFail } from './can-fail.ts';
import { type Condition, conditionOf, hasBounds } from './condition.ts';
import { callOf, constantOf } from './constant.ts';

/** A source below a scan: each row of the scan is made of one of its rows. */
export interface Origin {
  readonly source: { readonly start: number; readonly table: string; readonly column: string };
  /** The columns with the row's time: there is an origin for each TIMESTAMP of a source. */
  readonly times: ReadonlySet<string>;
  readonly conditions: Condition[];
  readonly isPlain: boolean;
  /** Whether only conditions and arrays are between the source and the scan. */
  readonly isNear: boolean;
  /** Whether a condition leaves out rows by their times, whatever else may fail. */
  readonly isBounded: boolean;
  /** Whether something was computed of its rows that can fail. */
  readonly fails: boolean;
}

/** The origins of a scan of a table, one for each of its times. */
export function tableOrigins(message: AnyNode, fields: AnyNode): Origin[] {
  const range = textRange(message);
  const table = asMessage(fields.table, 'table');
  const name = String(table.full_name || table.name);
  const columns = messages(fields, 'column_list');
  const times = columns.filter(({ type }) => asMessage(type, 'type').type_kind === 'TYPE_TIMESTAMP');
  // Those of a wildcard are not partitioned by time. Pseudo columns are no part of a subquery.
  const isOther = name.endsWith('*') || columns.some(({ name: column }) => /^_/.test(String(column)));
  const isPlainScan = !isPopulated(fields.for_system_time_expr) && !isPopulated(fields.hint_list);
  if (range === undefined || isOther || !isPlainScan) return [];
  return times.map((time) => ({
    source: { start: range.start, table: name, column: String(time.name) },
    times: new Set([idOf(time)]),
    conditions: [],
    isPlain: true,
    isNear: true,
    isBounded: false,
    fails: false,
  }));
}

/** The origin below a condition. */
export function filtered(origin: Origin, expression: AnyNode): Origin {
  const condition = conditionOf(expression, (column) => origin.times.has(column));
  const fails = origin.fails || canFail(expression);
  if (!hasBounds(condition)) return { ...origin, fails };
  // Rows that the bounds leave out must not hide a failure.
  if (fails) return { ...origin, fails, isBounded: true };
  return {
    ...origin,
    isBounded: true,
    conditions: [...origin.conditions, condition],
    isPlain: origin.isPlain && origin.isNear && isPlain(expression, origin.times),
  };
}

/** Whether a condition with bounds compares the time itself, so that BigQuery finds them. */
function isPlain(expression: AnyNode, times: ReadonlySet<string>): boolean {
  const call = callOf(expression);
  if (call === undefined) return false;
  const isTime = (argument: AnyNode) => {
    const { kind, message } = unwrap(argument);
    return kind === 'resolved_column_ref_node' && times.has(idOf(message.column));
  };
  if (call.name === '$and')
    return call.arguments.every(
      (part) => !hasBounds(conditionOf(part, (column) => times.has(column))) || isPlain(part, times),
    );
  return (
    /^\$(?:equal|less|less_or_equal|greater|greater_or_equal|between)$/.test(call.name) &&
    call.arguments.some(isTime) &&
    call.arguments.every((argument) => isTime(argument) || constantOf(argument) !== undefined)
  );
}

/** The origin below computed columns. */
export function projected(origin: Origin, computed: readonly AnyNode[]): Origin {
  const expressions = computed.map(({ expr }) => asMessage(expr, 'expr'));
  const times = new Set(origin.times);
  for (const { column, expr } of computed) {
    const { kind, message } = unwrap(asMessage(expr, 'expr'));
    if (kind === 'resolved_column_ref_node' && times.has(idOf(message.column))) times.add(idOf(column));
  }
  return { ...origin, times, isNear: false, fails: origin.fails || expressions.some(canFail) };
}

/** The expressions of a scan of an array. */
export function arrayParts(fields: AnyNode): AnyNode[] {
  const list = messages(fields, 'array_expr_list');
  return [
    ...list,
    ...[fields.array_expr, fields.join_expr].filter(isPresent).map((each) => asMessage(each, '')),
  ];
}
