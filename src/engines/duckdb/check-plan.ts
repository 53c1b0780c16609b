import type { Plan } from '../../sql/plan.ts';
import { emitQuery } from './emit/emit-query.ts';
import { emitContext } from './emit-context.ts';

/**
 * Emits a plan for the sake of its refusals, without running anything.
 *
 * @throws GatewayError QUERY_FAILED naming the construct that the embedded engine lacks
 */
export function checkPlan(plan: Plan): void {
  emitQuery(plan.statement, emitContext(plan, new Map(), 0n));
}
