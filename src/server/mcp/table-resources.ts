import type { ReadResourceResult, Resource } from '@modelcontextprotocol/sdk/types.js';
import { describeEndpoint } from '../discovery/endpoints/describe-endpoint.ts';
import type { EndpointShape } from '../graphql/shape/shape.ts';

const mimeType = 'application/json';

/** The form of the addresses of tables. */
export const tableTemplate = {
  uriTemplate: 'endpoint://{endpoint}/tables/{table}',
  name: 'table',
  title: 'Table of an endpoint',
  description: 'The columns of a table that ad-hoc queries of an endpoint may read.',
  mimeType,
};

/**
 * The tables that ad-hoc queries may read, as resources by their addresses. Each contains the columns with their types.
 *
 * @param shapes the endpoints that the caller may call, with the tables that it may read
 */
export class TableResources {
  readonly #tables = new Map<string, { readonly resource: Resource; readonly text: () => string }>();

  constructor(shapes: readonly EndpointShape[]) {
    for (const shape of shapes) {
      const { endpoint, tables } = shape;
      for (const { table } of tables?.tables ?? []) {
        const uri = `endpoint://${encodeURIComponent(endpoint.name)}/tables/${encodeURIComponent(table.name)}`;
        const resource = {
          uri,
          name: `${endpoint.name}/${table.name}`,
          description: `The columns of the table ${table.name}, which the tool ${tables?.queryField} queries.`,
          mimeType,
        };
        this.#tables.set(uri, { resource, text: () => columnsText(shape, table.name) });
      }
    }
  }

  /** All resources. */
  list(): Resource[] {
    return [...this.#tables.values()].map(({ resource }) => resource);
  }

  /** The content of a resource; undefined if there is none for the caller. */
  read(uri: string): ReadResourceResult | undefined {
    const text = this.#tables.get(uri)?.text();
    return text === undefined ? undefined : { contents: [{ uri, mimeType, text }] };
  }
}

function columnsText(shape: EndpointShape, name: string): string {
  const { tables, name: endpoint } = describeEndpoint(shape);
  const columns = tables.find((table) => table.name === name)?.columns;
  return JSON.stringify({ endpoint, table: name, tool: shape.tables?.queryField, columns });
}
