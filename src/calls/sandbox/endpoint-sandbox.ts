import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { StoredWith } from '../../definitions/endpoints/plan-text.ts';
import type { Analyzer } from '../../sql/analyzer/analyzer.ts';
import type { Catalog, CatalogFunction } from '../../sql/analyzer/catalog.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import { queryOnly } from '../../sql/text/query-only.ts';
import type { Column } from '../../sql/values/type.ts';
import { badInput } from './refusal.ts';

/** What an endpoint offers to ad-hoc queries, as plain data. */
export interface Offer extends Pick<Plan, 'sql' | 'functionsEnd' | 'parameters'> {
  /** The functions that the stored WITH clause may call, but not the ad-hoc query. */
  readonly functions: readonly CatalogFunction[];
  readonly tables: readonly { readonly name: string; readonly columns: readonly Column[] }[];
}

/** @throws GatewayError BAD_USER_INPUT if the endpoint accepts no ad-hoc queries or has no tables */
export function offerOf({ name, sandbox, plan, tables, functions = [] }: Endpoint): Offer {
  if (!sandbox) throw badInput(`The endpoint "${name}" does not accept ad-hoc queries`);
  if (tables.length === 0) {
    throw badInput(`The endpoint "${name}" has no tables to query: its stored query has no WITH clause`);
  }
  const { sql, functionsEnd, parameters } = plan;
  return {
    sql,
    ...(functionsEnd !== undefined && { functionsEnd }),
    parameters,
    functions,
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
  readonly functions: readonly CatalogFunction[];
}

/** @throws AnalyzerUnavailableError */
export async function endpointSandbox(
  { sql, functionsEnd, parameters, functions, tables }: Offer,
  analyzer: Pick<Analyzer, 'parse'>,
): Promise<EndpointSandbox> {
  const text = { sql, ...(functionsEnd !== undefined && { functionsEnd }) };
  return {
    tables: tables.map(({ name }) => name),
    catalog: { tables: tables.map(({ name, columns }) => ({ path: [name], columns })) },
    stored: new StoredWith(text, await analyzer.parse(queryOnly(text))),
    parameters,
    functions,
  };
}
