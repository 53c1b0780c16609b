import type { Problem } from '../../base/errors/problem.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { Source } from '../../definitions/sources/source.ts';
import type { ContractChange } from '../../server/graphql/contract/contract-changes.ts';
import {
  type DescribedColumn,
  type DescribedParameter,
  describeColumns,
  describeParameters,
} from '../output/describe-types.ts';

/** An endpoint that has no error of its own. */
export interface CheckedEndpoint {
  readonly name: string;
  readonly id: string;
  readonly file: string;
  readonly description: string;
  readonly parameters: readonly DescribedParameter[];
  readonly columns: readonly DescribedColumn[];
  /** The tables that it reads, as queries name them: `logs.edge_logs`. */
  readonly tables: readonly string[];
  /** The bytes that BigQuery would read. Absent if it was not asked, or refuses the query. */
  readonly bytesProcessed?: number;
}

/** What a check has found: the document that `check --json` prints. */
export interface CheckReport {
  readonly endpoints: readonly CheckedEndpoint[];
  readonly sources: readonly { readonly name: string; readonly file: string }[];
  /** The errors in the files, by file and place. */
  readonly problems: readonly Problem[];
  /** Changes that clients of an earlier GraphQL schema may notice. Absent if none was compared. */
  readonly changes?: readonly ContractChange[];
}

export function checkedEndpoint(endpoint: Endpoint, bytesProcessed: number | undefined): CheckedEndpoint {
  const { name, id, file, description, parameters, plan } = endpoint;
  return {
    ...{ name, id, file, description },
    parameters: describeParameters(parameters),
    columns: describeColumns(plan.columns),
    tables: plan.tables,
    ...(bytesProcessed !== undefined && { bytesProcessed }),
  };
}

export function checkedSources(sources: readonly Source[]): CheckReport['sources'] {
  return sources.map(({ name, file }) => ({ name, file }));
}

/** Whether there is nothing to complain of: no error, and no breaking change. */
export function isGood({ problems, changes = [] }: CheckReport): boolean {
  return problems.length === 0 && changes.every(({ severity }) => severity !== 'breaking');
}
