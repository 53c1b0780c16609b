import { type JsonObject, sameJson } from '../../../base/text/exact-json.ts';

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
