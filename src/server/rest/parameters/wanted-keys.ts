import type { ReadParameter } from '../../../definitions/endpoints/parameters/read-given.ts';

/** The keys of a request that are read, with the types of their values. */
export type WantedKeys = ReadonlyMap<string, ReadParameter>;

export function wantedKeys(parameters: readonly ReadParameter[], others: readonly string[] = []): WantedKeys {
  const texts = others.map((name) => ({ name, type: { kind: 'STRING' } }) as const);
  return new Map([...parameters, ...texts].map((parameter) => [parameter.name, parameter]));
}
