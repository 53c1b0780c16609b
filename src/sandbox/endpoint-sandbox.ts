import type { Endpoint } from '../endpoints/endpoint.ts';
import { StoredWith } from '../endpoints/stored-with.ts';
import type { Analyzer } from '../sql/analyzer/analyzer.ts';
import type { Catalog } from '../sql/analyzer/catalog.ts';
import type { Plan } from '../sql/plan.ts';
import type { Column } from '../sql/type.ts';
import { badInput } from './refusal.ts';

/** What an endpoint offers to ad-hoc queries, as plain data. */
export interface Offer extends Pick<Plan, 'sql' | 'parameters'> {
  readonly tables: readonly { readonly name: string; readonly columns: readonly Column[] }[];
}

/** @throws GatewayError BAD_USER_INPUT if the endpoint accepts no ad-hoc queries or has no tables */
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

/** An offer, prepared for planning queries. */
export interface EndpointSandbox {
  readonly tables: readonly string[];
  /** A catalog of only these tables. */
  readonly catalog: Catalog;
  /** The stored WITH clause, which defines the tables. */
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
