import type { Endpoint } from '../endpoints/endpoint.ts';
import { StoredWith } from '../endpoints/stored-with.ts';
import type { Analyzer } from '../sql/analyzer/analyzer.ts';
import type { Catalog } from '../sql/analyzer/catalog.ts';
import type { Plan } from '../sql/plan.ts';
import type { Column } from '../sql/type.ts';
import { badInput } from './refusal.ts';

/** What an endpoint offers to the queries of its callers. It is plain data. */
export interface Offer extends Pick<Plan, 'sql' | 'parameters'> {
  readonly tables: readonly { readonly name: string; readonly columns: readonly Column[] }[];
}

/** @throws GatewayError BAD_USER_INPUT for an endpoint that takes no queries, or has nothing to offer to them */
export function offerOf({ name, sandbox, plan, tables }: Endpoint): Offer {
  if (!sandbox) throw badInput(`The endpoint "${name}" does not accept ad-hoc queries`);
  if (tables.length === 0) {
    throw badInput(`The endpoint "${name}" has no tables to query: its stored query has no WITH clause`);
  }
  const { sql, parameters } = plan;
  return {
    sql,
    parameters,
    tables: tables.map((table) => ({ name: table.name, columns: table.plan.columns })),
  };
}

/** What is needed of an offer for each query. */
export interface EndpointSandbox {
  readonly tables: readonly string[];
  /** The tables as a catalog, and nothing beside them. */
  readonly catalog: Catalog;
  /** The stored WITH clause, from which the tables come. */
  readonly stored: StoredWith;
  readonly parameters: Plan['parameters'];
}

/** @throws AnalyzerUnavailableError */
export async function endpointSandbox(
  { sql, parameters, tables }: Offer,
  analyzer: Pick<Analyzer, 'parse'>,
): Promise<EndpointSandbox> {
  return {
    tables: tables.map(({ name }) => name),
    catalog: { tables: tables.map(({ name, columns }) => ({ path: [name], columns })) },
    stored: new StoredWith({ text: sql, parsed: await analyzer.parse(sql) }),
    parameters,
  };
}
