import type { Config } from '../../config.ts';
import { checkPlan as checkForBigQuery } from '../../engines/bigquery/check-plan.ts';
import { checkPlan as checkForDuckDb } from '../../engines/duckdb/check-plan.ts';
import type { Plan } from '../../sql/plan.ts';

/**
 * What refuses, without opening it, a plan that the engine of the settings refuses to run (`Engine.prepare`). What else
 * BigQuery can't run is for BigQuery to say: `check --engine` asks it.
 */
export function planCheck({ engine }: Pick<Config, 'engine'>): (plan: Plan) => Promise<void> {
  return engine === 'duckdb' ? checkForDuckDb : checkForBigQuery;
}
