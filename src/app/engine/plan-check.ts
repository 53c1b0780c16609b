import type { Config } from '../../config.ts';
import { checkPlan as checkForBigQuery } from '../../engines/bigquery/check-plan.ts';
import { checkPlan as checkForDuckDb } from '../../engines/duckdb/check-plan.ts';
import type { Plan } from '../../sql/plan.ts';

/**
 * Returns the check of whether the configured engine can run a plan (`Engine.prepare`), without opening the engine.
 * Only BigQuery itself knows what else it can't run: `check --engine` asks it.
 */
export function planCheck({ engine }: Pick<Config, 'engine'>): (plan: Plan) => Promise<void> {
  return engine === 'duckdb' ? checkForDuckDb : checkForBigQuery;
}
