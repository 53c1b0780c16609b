import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import {
  type DescribedColumn,
  type DescribedParameter,
  describeColumns,
  describeParameters,
} from '../output/describe-types.ts';

/** What is known of a call without its parameters. */
export interface CallDescription {
  readonly endpoint: Pick<Endpoint, 'id' | 'name' | 'description' | 'file'>;
  readonly parameters: readonly DescribedParameter[];
  /** The columns of the result. */
  readonly columns: readonly DescribedColumn[];
  /** The tables that the query reads, as queries name them: `logs.edge_logs`. */
  readonly tables: readonly string[];
  readonly engine: Config['engine'];
}

/** What the engine does for a call. */
export interface EngineWork {
  /** The statements. Those after the first read columns of the first one's rows. */
  readonly sql: readonly string[];
  /** DuckDB's plans of the statements. */
  readonly plan?: readonly string[] | undefined;
  /** The bytes that BigQuery would read. */
  readonly bytesProcessed?: number | undefined;
}

export function describeCall(
  { id, name, description, file, parameters }: Endpoint,
  plan: Plan,
  engine: Config['engine'],
): CallDescription {
  return {
    endpoint: { id, name, description, file },
    parameters: describeParameters(parameters),
    columns: describeColumns(plan.columns),
    tables: plan.tables,
    engine,
  };
}
