/**
 * A caller's value of one parameter, before it is parsed: a text, or the texts of an array's elements. Null counts as
 * absent.
 */
export type GivenValue = string | null | readonly string[];

/** A caller's values, by parameter name. */
export type GivenParameters = ReadonlyMap<string, GivenValue>;

/** The texts in a value. */
export function textsIn(given: GivenValue): readonly string[] {
  if (given === null) return [];
  return typeof given === 'string' ? [given] : given;
}
