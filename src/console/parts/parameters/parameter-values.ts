import type { Parameter } from '../../api/endpoints.ts';

/** What the user has entered, by parameter. Parameters without a value are missing. */
export type ParameterValues = ReadonlyMap<string, string | readonly string[]>;

/** The values that an address carries, or else those of the examples. */
export function initialValues(parameters: readonly Parameter[], address: URLSearchParams): ParameterValues {
  const known = parameters.filter(({ name }) => address.has(name));
  if (known.length > 0) {
    return new Map(
      known.map(({ name, type }) => [name, isArray(type) ? address.getAll(name) : (address.get(name) ?? '')]),
    );
  }
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
export function pairsOf(values: ParameterValues): readonly (readonly [name: string, value: string])[] {
  return [...values].flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : value.map((element) => [name, element] as const),
  );
}

/**
 * Pairs for an address. What contains the key is left out, for whoever has pasted it into a field: addresses are kept and
 * sent.
 */
export function addressPairs(
  pairs: readonly (readonly [name: string, value: string])[],
  key: string,
): URLSearchParams {
  return new URLSearchParams(
    pairs.filter(([, value]) => !value.includes(key)).map(([name, value]): [string, string] => [name, value]),
  );
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
