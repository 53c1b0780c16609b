import { isCollatedType } from '../../../../sql/resolved/collated-type.ts';
import { collatedValues } from '../../../../sql/resolved/collation.ts';
import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { unsupported } from '../../../../sql/resolved/unsupported.ts';
import { noteCall } from '../../dialect/calls.ts';
import { computed, type Expression, subqueryWeight } from '../../dialect/expression.ts';
import { aggregateFunctions } from '../../functions/aggregates/aggregates.ts';
import { entryByKeys } from '../../functions/aggregates/by-keys.ts';
import { type MergedAggregate, mergeableAggregates } from '../../functions/aggregates/mergeable.ts';
import { AggregateCall, type Modifiers } from '../../functions/call/aggregate-call.ts';
import type { AggregateEntry } from '../../functions/call/entry.ts';
import type { OrderKey } from '../../functions/call/order-key.ts';
import { hasPlainEquality } from '../../functions/comparison/equality.ts';
import { refusedFunction } from '../../functions/refused-functions.ts';
import type { Emitter, ExpressionEmitter } from '../emitter/emitter.ts';
import { rowCount } from '../emitter/row-count.ts';
import { functionName } from '../pieces/function-name.ts';
import { orderKeys, type SortKey, sortKeys } from '../pieces/sort-key.ts';
import { argumentsOf } from './arguments.ts';

export const aggregateCall: ExpressionEmitter = (node, emitter, column) => {
  const { key, label } = functionName(node);
  const entry = Object.hasOwn(aggregateFunctions, key) ? aggregateFunctions[key] : undefined;
  if (entry === undefined) throw unsupported(refusedFunction('aggregate function', key, label));
  const limit = node.optionalChild('limit');
  const having = node.optionalChild('having_modifier');
  const modifiers = {
    limit: limit && rowCount(limit, 'LIMIT', emitter),
    over: '',
    elements: column && (() => emitter.usedElements(column)),
    keepElements: column && ((places: readonly number[]) => void emitter.keptElements.set(column.id, places)),
  };
  const keys = sortKeys(node.list('order_by_item_list'));
  const emit = (args: readonly Expression[], order: readonly SortKey[], more: Partial<Modifiers> = {}) =>
    emitCall({ key, label, entry }, node, args, emitter, {
      ...modifiers,
      order: orderOf(order, node.flag('distinct'), args),
      having: undefined,
      ...more,
    });
  const args = argumentsOf(node, emitter);
  if (having === undefined) return computed(emit(args, keys), node.type(), 1);
  if (isCollatedType(having.child('having_expr').raw('type_annotation_map')))
    throw unsupported(`HAVING ${having.choice('kind', ['MAX', 'MIN'])} of a text with a collation`);
  const extreme = {
    kind: having.choice('kind', ['MAX', 'MIN']),
    by: emitter.expression(having.child('having_expr')),
  };
  if (key === 'any_value') return computed(emit(args, keys, { having: extreme }), node.type(), 1);
  return computed(overExtremes(extreme, args, keys, emit), node.type(), subqueryWeight);
};

/** A call of `mergeableAggregates`, without modifiers, by its values in parts of the rows. */
export function mergedAggregateCall(node: ResolvedNode, emitter: Emitter): MergedAggregate {
  const { key, label } = functionName(node);
  const mergeable = mergeableAggregates[key];
  if (mergeable === undefined) throw unsupported(refusedFunction('aggregate function', key, label));
  const call = aggregateCallOf(label, node, argumentsOf(node, emitter), emitter, noModifiers);
  const merged = mergeable.of(call);
  call.assertRead();
  return merged;
}

const noModifiers = { order: [], limit: undefined, having: undefined, over: '' };

/**
 * The keys of a call. With DISTINCT, they are its argument, even if the analyzer has given them a column of their own;
 * DuckDB must recognise that.
 */
function orderOf(
  keys: readonly SortKey[],
  isDistinct: boolean,
  args: readonly Expression[],
): readonly OrderKey[] {
  const [value] = args;
  if (!isDistinct || value === undefined) return orderKeys(keys);
  const isArgument = ({ column }: SortKey) => args.some(({ sql }) => sql === column);
  return orderKeys(keys.map((key) => (isArgument(key) ? key : { ...key, column: value.sql })));
}

/** An aggregate or analytic function, by its names in the allow-list and in messages. */
interface Callee {
  readonly key: string;
  readonly label: string;
  readonly entry: AggregateEntry;
}

/** Reads a call and the modifiers that aggregate and analytic calls have in common. */
export function emitAggregate(
  callee: Callee,
  node: ResolvedNode,
  emitter: Emitter,
  modifiers: Omit<Modifiers, 'distinct' | 'nulls'>,
): string {
  return emitCall(callee, node, argumentsOf(node, emitter), emitter, modifiers);
}

function emitCall(
  { key, label, entry }: Callee,
  node: ResolvedNode,
  args: readonly Expression[],
  emitter: Emitter,
  modifiers: Omit<Modifiers, 'distinct' | 'nulls'>,
): string {
  const call = aggregateCallOf(label, node, args, emitter, modifiers);
  const isCollated = collatedValues(node).includes(true);
  const sql = (entryByKeys(key, call, isCollated) ?? entry)(call);
  call.assertRead();
  return sql;
}

function aggregateCallOf(
  label: string,
  node: ResolvedNode,
  args: readonly Expression[],
  emitter: Emitter,
  modifiers: Omit<Modifiers, 'distinct' | 'nulls'>,
): AggregateCall {
  const safe = node.choice('error_mode', ['DEFAULT_ERROR_MODE', 'SAFE_ERROR_MODE']) === 'SAFE_ERROR_MODE';
  const options = { safe, now: emitter.context.now };
  return new AggregateCall(label, args, node.type(), options, {
    ...modifiers,
    distinct: node.flag('distinct'),
    nulls: node.choice('null_handling_modifier', ['DEFAULT_NULL_HANDLING', 'IGNORE_NULLS', 'RESPECT_NULLS']),
  });
}

/**
 * An aggregate with HAVING MAX or HAVING MIN: over the group's rows with the greatest or least value of an expression,
 * in which NULL doesn't count. The rows become a list, of which a subquery aggregates those elements.
 *
 * @param emit emits the call without the modifier, for other arguments and keys
 */
function overExtremes(
  { kind, by }: NonNullable<Modifiers['having']>,
  args: readonly Expression[],
  keys: readonly SortKey[],
  emit: (args: readonly Expression[], keys: readonly SortKey[]) => string,
): string {
  const isDouble = by.type.kind === 'FLOAT64';
  if (!hasPlainEquality(by.type) && !isDouble) throw unsupported(`HAVING ${kind} of ${by.type.kind}`);
  if (by.constant?.isNull || Number.isNaN(by.constant?.value))
    throw unsupported(`HAVING ${kind} of a constant`);
  if (by.constant !== undefined) return emit(args, keys);
  noteCall('subquery');
  const names = [...args.map((_, i) => `a${i}`), ...keys.map((_, i) => `k${i}`)];
  const values = [...args.map(({ sql }) => sql), ...keys.map(({ column }) => column)];
  const fields = names.map((name, i) => namedField(name, values[i] as string));
  const rows = `list(struct_pack(${[namedField('extreme', by.sql), ...fields].join(', ')})) FILTER (WHERE ${by.sql} IS NOT NULL)`;
  // With DISTINCT, a key must be written as the argument is.
  const fieldOf = ({ column }: SortKey, i: number) => {
    const same = args.findIndex(({ sql }) => sql === column);
    return same === -1 ? `k${i}` : `a${same}`;
  };
  const call = emit(
    args.map((argument, i) =>
      argument.constant === undefined ? { ...argument, sql: `e.a${i}`, weight: 1 } : argument,
    ),
    keys.map((key, i) => ({ ...key, column: `e.${fieldOf(key, i)}` })),
  );
  const extreme = `${kind.toLowerCase()}(${by.sql})`;
  // NaN is the extreme of both, and equals nothing, so no row has it.
  const isExtreme = isDouble
    ? `e.extreme = ${extreme} AND NOT isnan(max(${by.sql}))`
    : `e.extreme = ${extreme}`;
  return `(SELECT ${call} FROM (SELECT unnest(${rows}) AS e) WHERE ${isExtreme})`;
}

/** DuckDB loses the name of a field that is a macro call. */
function namedField(name: string, sql: string): string {
  return `${name} := CASE WHEN true THEN ${sql} END`;
}
