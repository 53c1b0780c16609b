import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import { pathNames } from './exploration.ts';

/** The value of a field in a row: of a field in a list, all of its values, unless there is one or none. */
export function valueAt(row: JsonObject, path: string): Json {
  const values = valuesAt(row, pathNames(path)).filter((value) => value !== null);
  if (values.length <= 1) return values[0] ?? null;
  return values;
}

function valuesAt(value: Json, [name, ...inside]: readonly string[]): readonly Json[] {
  if (isList(value))
    return value.flatMap((element) => valuesAt(element, name === undefined ? [] : [name, ...inside]));
  if (name === undefined) return [value];
  if (!isObject(value) || !Object.hasOwn(value, name)) return [];
  return valuesAt(value[name] ?? null, inside);
}

/** The value as a filter has it. Undefined if filters have none like it. */
export function filterValue(value: Json): string | undefined {
  if (value === null || typeof value === 'object') return undefined;
  const text = String(value);
  return text.length > maxLength || text.includes('\0') ? undefined : text;
}

/** An address should stay readable, and short enough for all browsers. */
const maxLength = 1_000;

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
