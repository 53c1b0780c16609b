import { GatewayError } from '../../../base/errors/errors.ts';
import { bySimilarity } from '../../../base/text/suggest.ts';
import { badValue, ofElement } from '../../../definitions/endpoints/parameters/bad-value.ts';
import type { EndpointParameter } from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import type { GivenParameters, GivenValue } from '../../../definitions/endpoints/parameters/given.ts';
import { typeOfTexts } from '../../../definitions/endpoints/parameters/parameter-type.ts';
import { givenAsJson } from '../../../definitions/endpoints/parameters/read-given.ts';

/** Values of JSON, as the SDK parses them. */
type Arguments = Readonly<Record<string, unknown>>;

/**
 * The arguments of a tool as the texts that parameters are parsed from, as for a JSON body on REST. Other arguments than
 * the tool's are refused: a model would not notice that they have no effect.
 *
 * @throws GatewayError BAD_USER_INPUT
 */
export function givenArguments(parameters: readonly EndpointParameter[], values: Arguments): GivenParameters {
  const known = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  return new Map(
    Object.entries(values).map(([name, value]): [string, GivenValue] => {
      const parameter = known.get(name);
      if (parameter === undefined) throw unknownArgument(name, [...known.keys()]);
      requireAllDigits(parameter, value);
      return [name, givenAsJson(parameter, JSON.stringify(value))];
    }),
  );
}

function unknownArgument(name: string, names: readonly string[]): GatewayError {
  const available = names.length === 0 ? 'none' : bySimilarity(name, names).join(', ');
  const message = `There is no argument ${JSON.stringify(name.slice(0, 60))}; available: ${available}.`;
  return new GatewayError('BAD_USER_INPUT', message, { parameter: name });
}

const exactTypes: ReadonlySet<string> = new Set(['INT64', 'NUMERIC', 'BIGNUMERIC']);

/** Refuses numbers that may have lost digits when the message was parsed. */
function requireAllDigits({ name, type }: EndpointParameter, value: unknown): void {
  if (!exactTypes.has(typeOfTexts(type).kind)) return;
  const isRounded = (each: unknown) => typeof each === 'number' && Math.abs(each) > Number.MAX_SAFE_INTEGER;
  const problem = ': the number has too many digits for a JSON number. Write it as a string';
  if (isRounded(value)) throw badValue(name, problem);
  const index = Array.isArray(value) ? value.findIndex(isRounded) : -1;
  if (index >= 0) throw badValue(name, ofElement(index + 1, problem));
}
