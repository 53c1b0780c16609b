import { GatewayError } from '../../../base/errors/errors.ts';
import type { Reads } from '../../../calls/call/authorised-call.ts';
import { writtenRowsQuery } from '../../../calls/sandbox/rows-query.ts';
import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import type {
  EndpointParameter,
  GivenParameters,
} from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { operators } from '../../../sql/filter/operators.ts';

/** The filter of a result: JSON, which can be an object in a JSON body, or LQL. */
export const filterParameter: EndpointParameter = {
  name: 'filter',
  type: { kind: 'JSON' },
  required: false,
  description: `Only rows of the result for which this is true: {"status":{"gte":500},"path":{"contains":"/rest"}}. The operators are ${operators.join(', ')}. A record takes an object of its fields. An array, too, and some element must match. and and or take lists of filters, not takes one. A text that doesn't begin with { is LQL.`,
};

/** The order of a result. */
const orderParameter: EndpointParameter = {
  name: 'order',
  type: { kind: 'STRING' },
  required: false,
  description:
    'The order of the rows, instead of the one that the result has anyway: columns separated by commas, with a minus sign before those in descending order, as -status,path.',
};

/** Those that an endpoint takes. A parameter that it declares with such a name keeps its meaning. */
export function filterKeys({ filterable, parameters }: Endpoint): readonly EndpointParameter[] {
  if (filterable === undefined) return [];
  return [filterParameter, orderParameter].filter(({ name }) =>
    parameters.every((parameter) => parameter.name !== name),
  );
}

/**
 * What a request reads that filters or orders the rows of the result. Undefined if it does neither.
 *
 * @throws GatewayError BAD_USER_INPUT; also if the request has another query
 */
export function filterReads(endpoint: Endpoint, given: GivenParameters): Reads | undefined {
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
  const query = writtenRowsQuery(endpoint, Object.fromEntries(texts));
  return query && { query };
}
