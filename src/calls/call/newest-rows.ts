import type { EndpointTable } from '../../definitions/endpoints/endpoint.ts';
import type { TableQuery } from './ad-hoc-query.ts';

/**
 * The query of a table's newest rows.
 *
 * @param maxRows rows beyond this many are cut off
 */
export function newestRows(table: EndpointTable, maxRows: number): TableQuery {
  return { canonical: `table ${table.name}`, plan: table.plan, maxRows, tables: [table] };
}
