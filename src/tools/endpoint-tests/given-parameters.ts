import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { GivenParameters } from '../../definitions/endpoints/parameters/given.ts';
import { givenAsJson } from '../../definitions/endpoints/parameters/read-given.ts';
import type { TestCase } from './cases/test-case.ts';

/**
 * The parameters of a case, read as those in the body of a request.
 *
 * @throws GatewayError BAD_USER_INPUT
 */
export function givenParameters(
  { parameters: declared }: Pick<Endpoint, 'parameters'>,
  { parameters }: Pick<TestCase, 'parameters'>,
): GivenParameters {
  return new Map(
    declared.flatMap((parameter) => {
      const value = parameters.get(parameter.name);
      return value === undefined ? [] : [[parameter.name, givenAsJson(parameter, JSON.stringify(value))]];
    }),
  );
}
