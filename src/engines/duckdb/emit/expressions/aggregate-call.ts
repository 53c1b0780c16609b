import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { unsupported } from '../../../../sql/resolved/unsupported.ts';
import { computed, type Expression } from '../../expression.ts';
import { AggregateCall, type Modifiers } from '../../functions/aggregates/aggregate-call.ts';
import { aggregateFunctions } from '../../functions/aggregates/aggregates.ts';
import type { AggregateEntry } from '../../functions/entry.ts';
import { refusedFunction } from '../../functions/refused-functions.ts';
import type { Emitter, ExpressionEmitter } from '../emitter.ts';
import { functionName } from '../function-name.ts';
import { orderBy, type SortKey, sortKeys } from '../sort-key.ts';
import { argumentsOf, refuseCarriedTypes } from './arguments.ts';

export const aggregateCall: ExpressionEmitter = (node, emitter, column) => {
  const { key, label } = functionName(node);
  const entry = Object.hasOwn(aggregateFunctions, key) ? aggregateFunctions[key] : undefined;
  if (entry === undefined) throw unsupported(refusedFunction('aggregate function', key, label));
  const limit = node.optionalChild('limit');
  const having = node.optionalChild('having_modifier');
  const sql = emitAggregate(entry, label, node, emitter, {
    keys: sortKeys(node.list('order_by_item_list')),
    limit: limit && emitter.expression(limit).sql,
    having: having && {
      kind: having.choice('kind', ['MAX', 'MIN']),
      by: emitter.expression(having.child('having_expr')),
    },
    over: '',
    elements: column && (() => emitter.usedElements(column)),
  });
  return computed(sql, node.type(), 1);
};

/**
 * The keys of a call. With DISTINCT, they are its argument, even if the analyzer has given them a column of their own;
 * DuckDB must recognise that.
 */
function orderOf(keys: readonly SortKey[], isDistinct: boolean, args: readonly Expression[]): string {
  const [value] = args;
  if (!isDistinct || value === undefined) return orderBy(keys);
  const isArgument = ({ column }: SortKey) => args.some(({ sql }) => sql === column);
  return orderBy(keys.map((key) => (isArgument(key) ? key : { ...key, column: value.sql })));
}

/** Reads a call and the modifiers that aggregate and analytic calls have in common. */
export function emitAggregate(
  entry: AggregateEntry,
  label: string,
  node: ResolvedNode,
  emitter: Emitter,
  {
    keys,
    ...modifiers
  }: Omit<Modifiers, 'distinct' | 'nulls' | 'order'> & { readonly keys: readonly SortKey[] },
): string {
  node.choice('error_mode', ['DEFAULT_ERROR_MODE']);
  const options = { safe: false, now: emitter.context.now };
  const args = argumentsOf(node, emitter);
  refuseCarriedTypes(functionName(node).key, label, args);
  const distinct = node.flag('distinct');
  const call = new AggregateCall(label, args, node.type(), options, {
    ...modifiers,
    distinct,
    order: orderOf(keys, distinct, args),
    nulls: node.choice('null_handling_modifier', ['DEFAULT_NULL_HANDLING', 'IGNORE_NULLS', 'RESPECT_NULLS']),
  });
  const sql = entry(call);
  call.assertRead();
  return sql;
}
