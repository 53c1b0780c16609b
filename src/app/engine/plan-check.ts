import type { Config } from '../../definitions/settings/config.ts';
import { checkPlan as checkForBigQuery } from '../../engines/bigquery/sql/check-plan.ts';
import { checkPlan as checkForDuckDb } from '../../engines/duckdb/run/check-plan.ts';
import type { Plan } from '../../sql/plan/plan.ts';

/**
 * Returns the check of whether the configured engine can run a plan (`Engine.prepare`), without opening the engine.
 * Only BigQuery itself knows what else it can't run: `check --engine` asks it.
 */
export function planCheck({ engine }: Pick<Config, 'engine'>): (plan: Plan) => Promise<void> {
  return engine === 'duckdb' ? checkForDuckDb : checkForBigQuery;
}
