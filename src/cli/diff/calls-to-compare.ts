import type { Json } from '../../base/text/exact-json.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { exampleOf } from '../../definitions/endpoints/parameters/example-values.ts';
import { plainStyle } from '../../rows/formats/render/json-style.ts';
import type { RecordedCall } from '../../tools/endpoint-diff/rows/recorded-calls.ts';
import type { TestCase } from '../../tools/endpoint-tests/cases/test-file.ts';
import type { VersionCall } from './version-runner.ts';

/** A call with where it is from. */
export interface OriginCall extends VersionCall {
  readonly origin: string;
}

/** More recorded calls of an endpoint aren't run. */
const maxRecorded = 50;

/** The call with the examples of the parameters. Undefined if a required one has neither an example nor allowed values. */
export function exampleCall({ parameters }: Pick<Endpoint, 'parameters'>): OriginCall | undefined {
  const given = new Map<string, Json>();
  for (const parameter of parameters) {
    const value = exampleOf(parameter);
    if (value !== undefined) given.set(parameter.name, value);
    else if (parameter.required) return undefined;
  }
  return { origin: 'the examples', parameters: given, style: plainStyle };
}

/** The calls of tests, each with its parameters once. */
export function testCalls(cases: readonly TestCase[]): OriginCall[] {
  const seen = new Set<string>();
  return cases.flatMap((test) => {
    const { name, parameters, query, skip } = test;
    const key = JSON.stringify([[...parameters], query]);
    if (skip !== undefined || seen.has(key)) return [];
    seen.add(key);
    return [{ origin: `test "${name}"`, parameters, style: plainStyle, ...(query && { query }) }];
  });
}

/** The recorded calls of an endpoint that can be repeated, and what is said of the others. */
export function recordedCallsOf(
  { id, name, parameters }: Pick<Endpoint, 'id' | 'name' | 'parameters'>,
  recorded: readonly RecordedCall[],
  file: string,
): { readonly calls: readonly OriginCall[]; readonly notes: readonly string[] } {
  const own = recorded.filter(({ endpoint }) => endpoint === name || endpoint.toLowerCase() === id);
  const calls = new Map<string, OriginCall>();
  let unknown = 0;
  for (const { line, parameters: given, query } of own) {
    // Without values, only a call of an endpoint without parameters is known completely.
    if (given === undefined && parameters.length > 0) {
      unknown += 1;
      continue;
    }
    const values = new Map(
      [...(given ?? [])].filter(([key]) => parameters.some((each) => each.name === key)),
    );
    const key = JSON.stringify([[...values], query]);
    if (calls.has(key)) continue;
    const origin = `line ${line} of ${file}`;
    calls.set(key, { origin, parameters: values, style: plainStyle, ...(query && { query }) });
  }
  const all = [...calls.values()];
  const more = all.length - maxRecorded;
  return {
    calls: all.slice(0, maxRecorded),
    notes: [
      ...(unknown > 0
        ? [
            `${unknown} recorded ${unknown === 1 ? 'call has' : 'calls have'} no parameter values, and can't be repeated`,
          ]
        : []),
      ...(more > 0 ? [`${more} further recorded calls are not run`] : []),
    ],
  };
}
