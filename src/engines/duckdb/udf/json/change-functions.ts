import { Failure } from '../../../../sql/values/function-errors.ts';
import { JsFunction } from '../js/js-function.ts';
import { bool, text } from '../js/js-type.ts';
import { isArray, isObject, type Json, objectOf, writeJson } from './json-value.ts';
import { parseJson } from './parser.ts';
import { type StrictStep, strictSteps } from './path.ts';

/** Changes the value at the end of a path. Undefined means a missing value. */
type Change = (value: Json | undefined) => Json | undefined;

/** The analyzer's own limit. */
const maxElements = 1_000_000;

/** Extends a list to this length. Then everything that the rest of the path refers to is missing, too. */
function fill(elements: Json[], length: number, rest: readonly StrictStep[]): void {
  if (elements.length >= length) return;
  const wanted = rest.reduce((sum: number, step) => sum + (typeof step === 'number' ? step : 0), length);
  if (wanted >= maxElements) throw new Failure(`Exceeded maximum array size of ${maxElements}`);
  while (elements.length < length) elements.push(null);
}

const read = (json: string) => parseJson(json, 'round');

/**
 * Changes the value at a path. If the path doesn't exist, the value is unchanged, unless `create` is set: then missing
 * members are created, and missing elements with JSON null in the gaps.
 */
function changed(
  json: Json | undefined,
  [step, ...rest]: readonly StrictStep[],
  change: Change,
  create: boolean,
): Json | undefined {
  if (step === undefined) return change(json);
  const isMissing = json === undefined || json === null;
  if (isMissing && !create) return json;
  if (typeof step === 'string') {
    if (!isMissing && !isObject(json)) return json;
    const members = new Map(isMissing ? [] : json);
    if (!members.has(step) && !create) return json;
    const member = changed(members.get(step), rest, change, create);
    if (member === undefined) members.delete(step);
    else members.set(step, member);
    return objectOf(members);
  }
  if (!isMissing && !isArray(json)) return json;
  const elements = isMissing ? [] : [...json];
  if (step >= elements.length && !create) return json;
  fill(elements, step, rest);
  const element = changed(elements[step], rest, change, create);
  if (element === undefined) return elements.toSpliced(step, 1);
  elements[step] = element;
  return elements;
}

const written = (json: Json | undefined) => writeJson(json ?? null);

/** `(json, path, value, create_if_missing)` of JSON_SET. */
export const jsonSet = new JsFunction(
  'json_set',
  [text, text, text, bool],
  text,
  (json, path, value, create) => {
    const replacement = read(value);
    const replace: Change = (old) => (old === undefined && !create ? undefined : replacement);
    return written(changed(read(json), strictSteps(path, 'JSON_SET'), replace, create));
  },
);

/** `(json, path)` of JSON_REMOVE. */
export const jsonRemove = new JsFunction('json_remove', [text, text], text, (json, path) => {
  const steps = strictSteps(path, 'JSON_REMOVE');
  if (steps.length === 0) throw new Failure("Invalid input to JSON_REMOVE: The JSONPath cannot be '$'");
  return written(changed(read(json), steps, () => undefined, false));
});

/** `(json, path, values, append_each_element)` of JSON_ARRAY_APPEND. */
export const jsonArrayAppend = new JsFunction(
  'json_array_append',
  [text, text, text, bool],
  text,
  (json, path, values, each) => {
    const added = listOf(read(values), each);
    const append: Change = (old) =>
      old === null ? added : old !== undefined && isArray(old) ? [...old, ...added] : old;
    return written(changed(read(json), strictSteps(path, 'JSON_ARRAY_APPEND'), append, false));
  },
);

/** `(json, path, values, insert_each_element)` of JSON_ARRAY_INSERT. */
export const jsonArrayInsert = new JsFunction(
  'json_array_insert',
  [text, text, text, bool],
  text,
  (json, path, values, each) => {
    const steps = strictSteps(path, 'JSON_ARRAY_INSERT');
    const index = steps.at(-1);
    if (typeof index !== 'number') return written(read(json));
    const added = listOf(read(values), each);
    const insert: Change = (old) => {
      if (old === undefined || (old !== null && !isArray(old))) return old;
      const elements = old === null ? [] : [...old];
      fill(elements, index, []);
      return elements.toSpliced(index, 0, ...added);
    };
    return written(changed(read(json), steps.slice(0, -1), insert, false));
  },
);

function listOf(values: Json, each: boolean): readonly Json[] {
  return each && isArray(values) ? values : [values];
}

/** `(json, path, include_arrays, remove_empty)` of JSON_STRIP_NULLS. */
export const jsonStripNulls = new JsFunction(
  'json_strip_nulls',
  [text, text, bool, bool],
  text,
  (json, path, arrays, empty) => {
    const strip: Change = (old) => (old === undefined ? undefined : (stripped(old, arrays, empty) ?? null));
    return written(changed(read(json), strictSteps(path, 'JSON_STRIP_NULLS'), strip, false));
  },
);

/** Removes the members, and elements, that are JSON null. Undefined if nothing remains that must be kept. */
function stripped(json: Json, arrays: boolean, empty: boolean): Json | undefined {
  if (isObject(json)) {
    const members = [...json].flatMap(([name, value]) => {
      const kept = stripped(value, arrays, empty);
      return kept === undefined || kept === null ? [] : [[name, kept] as const];
    });
    return empty && members.length === 0 ? undefined : objectOf(members);
  }
  if (!isArray(json)) return json;
  if (!arrays) return json.map((element) => stripped(element, arrays, false) ?? null);
  const elements = json
    .map((element) => stripped(element, arrays, empty))
    .filter((kept) => kept !== undefined && kept !== null);
  return empty && elements.length === 0 ? undefined : elements;
}

export const changeFunctions = [
  jsonSet,
  jsonRemove,
  jsonArrayAppend,
  jsonArrayInsert,
  jsonStripNulls,
] as const;
