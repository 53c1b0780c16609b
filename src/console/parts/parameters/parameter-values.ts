import type { Parameter } from '../../api/endpoints.ts';

/** What the user has entered, by parameter. Parameters without a value are missing. */
export type ParameterValues = ReadonlyMap<string, string | readonly string[]>;

/** The values of an address for the parameters that there are. All else in it is ignored. */
export function addressValues(parameters: readonly Parameter[], address: URLSearchParams): ParameterValues {
  return new Map(
    parameters
      .filter(({ name }) => address.has(name))
      .map(({ name, type }) => [name, isArray(type) ? address.getAll(name) : (address.get(name) ?? '')]),
  );
}

/** The values of an address, or those of the examples if it has none. */
export function initialValues(parameters: readonly Parameter[], address: URLSearchParams): ParameterValues {
  const given = addressValues(parameters, address);
  if (given.size > 0) return given;
  return new Map(
    parameters.flatMap((parameter) => {
      const value = proposedValue(parameter);
      return value === undefined ? [] : [[parameter.name, value]];
    }),
  );
}

function proposedValue({ example, required, values, default: byDefault }: Parameter) {
  return example ?? (required ? (byDefault ?? values?.[0]) : undefined);
}

/** Pairs of a query string. */
export function pairsOf(values: ParameterValues): [name: string, value: string][] {
  return [...values].flatMap(([name, value]) => [value].flat().map((each): [string, string] => [name, each]));
}

/**
 * The query string of an address. It omits values that contain the API key, which users may have pasted into a field:
 * browsers store addresses, and users share them.
 */
export function addressPairs(
  pairs: readonly (readonly [name: string, value: string])[],
  key: string,
): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of pairs) if (!value.includes(key)) search.append(name, value);
  return search;
}

/** The values after one has changed. */
export function withValue(
  values: ParameterValues,
  name: string,
  value: string | readonly string[],
): ParameterValues {
  const changed = new Map(values);
  if (value.length === 0) changed.delete(name);
  else changed.set(name, value);
  return changed;
}

/** The required parameters that have no value. */
export function missingParameters(
  parameters: readonly Parameter[],
  values: ParameterValues,
): readonly string[] {
  return parameters.filter(({ required, name }) => required && !values.has(name)).map(({ name }) => name);
}

export function isArray(type: string): boolean {
  return type.startsWith('ARRAY<');
}
