import type { Config } from '../../config.ts';
import { checkPlan } from '../../engines/duckdb/check-plan.ts';
import type { Plan } from '../../sql/plan.ts';

/**
 * What refuses, without running anything, a plan that the engine of the settings can't run. What BigQuery can run is for
 * BigQuery to say: `check --engine` asks it.
 */
export function planCheck({ engine }: Pick<Config, 'engine'>): (plan: Plan) => void {
  return engine === 'duckdb' ? checkPlan : () => {};
}
