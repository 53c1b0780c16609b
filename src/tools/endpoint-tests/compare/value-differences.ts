import { isList, isObject, type Json, sameJson } from '../../../base/text/exact-json.ts';

/** A difference within a value. */
export interface ValueDifference {
  /** Such as `metadata[0].status`. */
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
}

/** The places at which two values differ, the deepest ones. */
export function* valueDifferences(
  path: string,
  expected: Json | undefined,
  actual: Json | undefined,
): Generator<ValueDifference> {
  if (sameJson(expected, actual)) return;
  if (isObject(expected) && isObject(actual)) {
    for (const name of new Set([...Object.keys(actual), ...Object.keys(expected)]))
      yield* valueDifferences(`${path}.${name}`, expected[name], actual[name]);
  } else if (isList(expected) && isList(actual) && expected.length === actual.length) {
    for (const [index, value] of actual.entries())
      yield* valueDifferences(`${path}[${index}]`, expected[index], value);
  } else yield { path, expected: shown(expected), actual: shown(actual) };
}

function shown(value: Json | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
