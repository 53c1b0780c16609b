import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { unsupported } from '../../../../sql/resolved/unsupported.ts';
import { computed } from '../../expression.ts';
import { AggregateCall, type Modifiers } from '../../functions/aggregates/aggregate-call.ts';
import { aggregateFunctions } from '../../functions/aggregates/aggregates.ts';
import type { AggregateEntry } from '../../functions/entry.ts';
import { refusedFunction } from '../../functions/refused-functions.ts';
import type { Emitter, ExpressionEmitter } from '../emitter.ts';
import { functionName } from '../function-name.ts';
import { orderBy, sortKeys } from '../sort-key.ts';
import { argumentsOf, refuseCarriedTypes } from './arguments.ts';

export const aggregateCall: ExpressionEmitter = (node, emitter, column) => {
  const { key, label } = functionName(node);
  const entry = Object.hasOwn(aggregateFunctions, key) ? aggregateFunctions[key] : undefined;
  if (entry === undefined) throw unsupported(refusedFunction('aggregate function', key, label));
  const limit = node.optionalChild('limit');
  const having = node.optionalChild('having_modifier');
  const sql = emitAggregate(entry, label, node, emitter, {
    order: orderBy(sortKeys(node.list('order_by_item_list'))),
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

/** Reads a call and the modifiers that aggregate and analytic calls have in common. */
export function emitAggregate(
  entry: AggregateEntry,
  label: string,
  node: ResolvedNode,
  emitter: Emitter,
  modifiers: Omit<Modifiers, 'distinct' | 'nulls'>,
): string {
  const safe = node.choice('error_mode', ['DEFAULT_ERROR_MODE', 'SAFE_ERROR_MODE']) === 'SAFE_ERROR_MODE';
  const options = { safe, now: emitter.context.now };
  const args = argumentsOf(node, emitter);
  refuseCarriedTypes(functionName(node).key, label, args);
  const call = new AggregateCall(label, args, node.type(), options, {
    ...modifiers,
    distinct: node.flag('distinct'),
    nulls: node.choice('null_handling_modifier', ['DEFAULT_NULL_HANDLING', 'IGNORE_NULLS', 'RESPECT_NULLS']),
  });
  const sql = entry(call);
  call.assertRead();
  return sql;
}
