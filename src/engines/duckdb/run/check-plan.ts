import { type Plan, statementOf } from '../../../sql/plan/plan.ts';
import type { SqlType } from '../../../sql/values/type.ts';
import type { Value } from '../../../sql/values/value.ts';
import { emitQuery } from '../emit/emit-query.ts';
import { emitContext } from './emit-context.ts';
import { withinStack } from './within-stack.ts';

/** Placeholders that are valid as a number of rows or groups or as a fraction, unlike NULL. */
const likely: Partial<Record<SqlType['kind'], Value>> = { INT64: 1n, FLOAT64: 0.5 };

/**
 * Emits a plan without running it, to find unsupported constructs. Parameters have no values yet: `LIMIT @n`, which is
 * refused for some values only, is not refused here.
 *
 * @throws GatewayError QUERY_FAILED naming the construct that the embedded engine lacks
 */
export async function checkPlan(plan: Plan): Promise<void> {
  const emit = (values: ReadonlyMap<string, Value>) =>
    withinStack(() => emitQuery(statementOf(plan), emitContext(plan, values, 0n)));
  try {
    await emit(new Map());
  } catch (error) {
    const others = likelyValues(plan);
    if (others.size === 0) throw error;
    await emit(others);
  }
}

function likelyValues({ parameters }: Plan): Map<string, Value> {
  const values = [...parameters].map(([name, { kind }]) => [name, likely[kind] ?? null] as const);
  return new Map(values.filter(([, value]) => value !== null));
}
