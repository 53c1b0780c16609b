import { GatewayError } from '../../../base/errors/errors.ts';
import type { Call } from '../../../calls/call.ts';
import { rowsQuery } from '../../../calls/sandbox/rows-query.ts';
import type { TableShape } from '../shape/shape.ts';
import { askedRows } from './filter-inputs.ts';

/**
 * The call for rows of a table that a field's arguments select: its newest ones, if they neither filter nor order.
 *
 * @param taken names of arguments that mean something else
 * @throws GatewayError BAD_USER_INPUT, FORBIDDEN
 */
export function rowsOfTable(
  call: Call,
  { table, filter }: TableShape,
  given: Readonly<Record<string, unknown>>,
  taken?: ReadonlySet<string>,
): Call {
  const { endpoint } = call;
  const limit = Number(given.limit);
  if (limit < 1 || limit > endpoint.maxRows) {
    const message = `Argument "limit": expected a number from 1 to ${endpoint.maxRows}, got ${limit}.`;
    throw new GatewayError('BAD_USER_INPUT', message, { parameter: 'limit' });
  }
  const query = rowsQuery({ endpoint, table, ...askedRows(given, filter, taken), maxRows: limit });
  return query === undefined ? call.newestRows(table, limit) : call.filteredRows(query);
}
