import { isObject } from '../record-members.ts';
import { RowValidationError } from '../row-validation-error.ts';

/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Where a value is in an event: the keys that lead to it. */
type Keys = readonly [string, ...string[]];

/**
 * The value at a path with dots, such as `metadata.time`. A key with dots goes before the path through records. An array of
 * one object is that object. Null counts as absent.
 */
export function valueAt(event: JsonObject, path: string): { keys: Keys; value: unknown } | undefined {
  const key = keyOf(event, path);
  const value = key === undefined ? undefined : event[key];
  if (key !== undefined && value !== null && value !== undefined) return { keys: [key], value };
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const outer = keyOf(event, path.slice(0, dot));
    const record = outer === undefined ? undefined : recordOf(event[outer]);
    const found = record && valueAt(record, path.slice(dot + 1));
    if (outer !== undefined && found !== undefined)
      return { keys: [outer, ...found.keys], value: found.value };
  }
  return undefined;
}

/** A key of an object in any letter case, as it is there. */
export function keyOf(object: JsonObject, name: string): string | undefined {
  if (Object.hasOwn(object, name)) return name;
  const folded = name.toLowerCase();
  for (const key of Object.keys(object))
    if (key.length === name.length && key.toLowerCase() === folded) return key;
  return undefined;
}

/** A copy of an object without the value at these keys. */
export function without(object: JsonObject, [key, ...rest]: readonly string[]): JsonObject {
  if (key === undefined) return object;
  const [next] = rest;
  if (next === undefined)
    return Object.fromEntries(Object.entries(object).filter(([candidate]) => candidate !== key));
  const record = recordOf(object[key]);
  return record === undefined ? object : { ...object, [key]: without(record, rest) };
}

/**
 * A copy of an object with a value at a path of names. Records on the way are made.
 *
 * @throws RowValidationError if there is a value at the path, or one on the way that is no record
 */
export function withValue(
  object: JsonObject,
  [name, ...rest]: readonly string[],
  value: unknown,
): JsonObject {
  if (name === undefined) return object;
  const key = keyOf(object, name) ?? name;
  const there = Object.hasOwn(object, key) ? object[key] : undefined;
  if (there === null || there === undefined)
    return { ...object, [key]: rest.length === 0 ? value : withValue({}, rest, value) };
  const record = rest.length === 0 ? undefined : recordOf(there);
  if (record === undefined)
    throw new RowValidationError('the field is there, and another one is renamed to it').within(name);
  try {
    return { ...object, [key]: withValue(record, rest, value) };
  } catch (error) {
    throw error instanceof RowValidationError ? error.within(name) : error;
  }
}

function recordOf(value: unknown): JsonObject | undefined {
  const record: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isObject(record) ? record : undefined;
}
