import { GatewayError } from '../../../base/errors/errors.ts';
import type { RowsQuery } from '../../../calls/call/ad-hoc-query.ts';
import { writtenRowsQuery } from '../../../calls/sandbox/rows-query.ts';
import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import type { GivenParameters } from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import type { ReadParameter } from '../../../definitions/endpoints/parameters/read-given.ts';

/** The request keys with a filter and an order of the result. A filter can be an object in a JSON body. */
const filterParameters: readonly ReadParameter[] = [
  { name: 'filter', type: { kind: 'JSON' } },
  { name: 'order', type: { kind: 'STRING' } },
];

/** Those that an endpoint takes. A parameter that it declares with such a name keeps its meaning. */
export function filterKeys({ filterable, parameters }: Endpoint): readonly ReadParameter[] {
  if (filterable === undefined) return [];
  return filterParameters.filter(({ name }) => parameters.every((parameter) => parameter.name !== name));
}

/**
 * The query for the rows of the result that a request filters or orders. Undefined if it does neither.
 *
 * @throws GatewayError BAD_USER_INPUT; also if the request has another query
 */
export function filteredRows(endpoint: Endpoint, given: GivenParameters): RowsQuery | undefined {
  const texts = filterKeys(endpoint).flatMap(({ name }) => {
    const text = given.get(name);
    return typeof text === 'string' && text !== '' ? [[name, text] as const] : [];
  });
  const [first] = texts;
  if (first === undefined) return undefined;
  const other = ['sql', 'lql', 'tail'].find((key) => given.get(key));
  if (other !== undefined) {
    const [parameter] = first;
    const message = `Parameter "${parameter}": it selects rows of the result, and "${other}" reads others. Give one of them.`;
    throw new GatewayError('BAD_USER_INPUT', message, { parameter });
  }
  return writtenRowsQuery(endpoint, Object.fromEntries(texts));
}
