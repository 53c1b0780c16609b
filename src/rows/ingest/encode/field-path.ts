import { isObject } from './record-members.ts';
import { RowValidationError } from './row-validation-error.ts';

/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A parsed JSON object that may be changed. */
export type MutableObject = Record<string, unknown>;

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

/** Removes and returns the value at a path: see `valueAt`. A member that is removed stays as undefined. */
export function takeAt(event: MutableObject, path: string): unknown {
  const found = valueAt(event, path);
  if (found === undefined) return undefined;
  let record: MutableObject = event;
  for (const key of found.keys.slice(0, -1)) record = recordOf(record[key]) ?? {};
  record[found.keys.at(-1) ?? ''] = undefined;
  return found.value;
}

/**
 * Sets the value at a path of names. Records on the way are made.
 *
 * @throws RowValidationError if there is a value at the path, or one on the way that is no record
 */
export function putAt(object: MutableObject, [name, ...rest]: readonly string[], value: unknown): void {
  if (name === undefined) return;
  const key = keyOf(object, name) ?? name;
  const there = Object.hasOwn(object, key) ? object[key] : undefined;
  if (there === null || there === undefined) {
    const inner: MutableObject = {};
    putAt(inner, rest, value);
    object[key] = rest.length === 0 ? value : inner;
    return;
  }
  const record = rest.length === 0 ? undefined : recordOf(there);
  if (record === undefined)
    throw new RowValidationError('the field is there, and another one is renamed to it').within(name);
  try {
    putAt(record, rest, value);
  } catch (error) {
    throw error instanceof RowValidationError ? error.within(name) : error;
  }
}

function recordOf(value: unknown): MutableObject | undefined {
  const record: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isObject(record) ? record : undefined;
}
