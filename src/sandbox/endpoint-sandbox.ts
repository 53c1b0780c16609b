import type { Endpoint } from '../endpoints/endpoint.ts';
import { StoredWith } from '../endpoints/stored-with.ts';
import type { Analyzer } from '../sql/analyzer/analyzer.ts';
import type { Catalog } from '../sql/analyzer/catalog.ts';
import { badInput } from './refusal.ts';

/** What an endpoint offers to the queries of its callers. */
export interface EndpointSandbox {
  readonly tables: readonly string[];
  /** The tables as a catalog, and nothing beside them. */
  readonly catalog: Catalog;
  /** The stored WITH clause, from which the tables come. */
  readonly stored: StoredWith;
}

/**
 * @throws GatewayError BAD_USER_INPUT for an endpoint that takes no queries, or has nothing to offer to them
 * @throws AnalyzerUnavailableError
 */
export async function endpointSandbox(
  endpoint: Endpoint,
  analyzer: Pick<Analyzer, 'parse'>,
): Promise<EndpointSandbox> {
  if (!endpoint.sandbox) throw badInput(`The endpoint "${endpoint.name}" takes no queries of its callers`);
  if (endpoint.tables.length === 0) {
    throw badInput(
      `The endpoint "${endpoint.name}" has no tables to query: its stored query has no WITH clause`,
    );
  }
  const { sql } = endpoint.plan;
  return {
    tables: endpoint.tables.map(({ name }) => name),
    catalog: { tables: endpoint.tables.map(({ name, plan }) => ({ path: [name], columns: plan.columns })) },
    stored: new StoredWith({ text: sql, parsed: await analyzer.parse(sql) }),
  };
}
