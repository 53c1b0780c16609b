import { isList, isObject, type Json, type JsonObject, sameJson } from '../../../base/text/exact-json.ts';
import { jsonText } from '../../../rows/ingest/encode/json-text.ts';

/**
 * Whether a row is the expected one.
 *
 * @param partial whether columns that the expected row doesn't name may have any value
 */
export function rowMatches(expected: JsonObject, actual: JsonObject, partial: boolean): boolean {
  if (!partial) return sameJson(expected, actual);
  return Object.keys(expected).every(
    (name) => Object.hasOwn(actual, name) && sameJson(expected[name], actual[name]),
  );
}

/** The columns in which two rows differ, in the order of the actual row. */
export function differingColumns(expected: JsonObject, actual: JsonObject, partial: boolean): string[] {
  const names = new Set([...Object.keys(actual), ...Object.keys(expected)]);
  return [...names].filter(
    (name) =>
      (Object.hasOwn(expected, name) || !partial) &&
      !(
        Object.hasOwn(expected, name) &&
        Object.hasOwn(actual, name) &&
        sameJson(expected[name], actual[name])
      ),
  );
}

/** A difference within a value. */
interface ValueDifference {
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
  return value === undefined ? 'nothing' : jsonText(value);
}
