import { JsonNumber } from '../../../../base/text/json-number.ts';
import { JsFunction } from '../js/js-function.ts';
import { int64, listOf, text } from '../js/js-type.ts';
import { isArray, isObject, type Json, writeJson } from './json-value.ts';
import { laxPath, laxQuery } from './lax-query.ts';
import { parseJson } from './parser.ts';
import { elementIndex, type JsonPathStyle, type JsonSteps, jsonSteps } from './path.ts';
import { extract } from './text-extractor.ts';

/** Extracts from a STRING with JSON, by the name of the older function: `(json, path)`. */
export const textExtractors = {
  scalar: byStyle('json_text_scalar', text, (json, steps) => {
    const found = extract(json, steps);
    return found === undefined || /null|array|object/.test(found.kind) ? null : found.text;
  }),
  part: byStyle('json_text_part', text, (json, steps) => {
    const found = extract(json, steps);
    return found === undefined || found.kind === 'null' ? null : found.json;
  }),
  parts: byStyle('json_text_parts', listOf(text), (json, steps) => {
    const found = extract(json, steps);
    return found?.kind === 'array' ? found.elements.map((element) => element.json) : null;
  }),
  scalars: byStyle('json_text_scalars', listOf(text), (json, steps) => {
    const found = extract(json, steps);
    if (found?.kind !== 'array') return null;
    if (found.elements.some(({ kind }) => kind === 'array' || kind === 'object')) return null;
    return found.elements.map(({ kind, text: value }) => (kind === 'null' ? null : value));
  }),
};

/** The same for a value of the type JSON. A part that is JSON null is returned. */
export const jsonExtractors = {
  scalar: byStyle('json_scalar', text, (json, steps) => scalarText(at(json, steps))),
  part: {
    /** JSON_QUERY, with paths that may be lax. */
    quoted: new JsFunction('json_query', [text, text], text, (json, path) => {
      const lax = laxPath(path, 'JSON_QUERY');
      if (lax !== undefined) return writeJson(laxQuery(parseJson(json, 'round'), lax));
      return partAt(json, jsonSteps(path, 'quoted'));
    }),
    bracketed: byStyle('json_part', text, partAt).bracketed,
  },
  parts: byStyle('json_parts', listOf(text), (json, steps) => {
    const found = at(json, steps);
    return found !== undefined && isArray(found) ? found.map(writeJson) : null;
  }),
  scalars: byStyle('json_scalars', listOf(text), (json, steps) => {
    const found = at(json, steps);
    if (found === undefined || !isArray(found)) return null;
    if (found.some((element) => isArray(element) || isObject(element))) return null;
    return found.map(scalarText);
  }),
};

/** `(json, name)`: the member of an object, as JSON. */
export const jsonMember = new JsFunction('json_member', [text, text], text, (json, name) => {
  const value = parseJson(json, 'round');
  const found = isObject(value) ? value.get(name) : undefined;
  return found === undefined ? null : writeJson(found);
});

/** `(json, index)`: the element of an array, as JSON. */
export const jsonElement = new JsFunction('json_element', [text, int64], text, (json, index) => {
  const value = parseJson(json, 'round');
  const found = isArray(value) && index >= 0n ? value[Number(index)] : undefined;
  return found === undefined ? null : writeJson(found);
});

/** JSON_FLATTEN: the elements of an array and of the arrays in it. */
export const jsonFlatten = new JsFunction('json_flatten', [text], listOf(text), (json) => {
  const found: string[] = [];
  // Not recursive: arrays can be nested deeply.
  const pending: Json[] = [parseJson(json, 'round')];
  while (pending.length > 0) {
    const value = pending.pop() as Json;
    if (!isArray(value)) found.push(writeJson(value));
    else for (let i = value.length - 1; i >= 0; i--) pending.push(value[i] as Json);
  }
  return found;
});

function at(json: string, steps: JsonSteps): Json | undefined {
  let value: Json | undefined = parseJson(json, 'round');
  for (const step of steps) {
    if (value === undefined) return undefined;
    if (isObject(value)) value = value.get(step);
    else if (isArray(value)) value = value[elementIndex(step) ?? -1];
    else return undefined;
  }
  return value;
}

function partAt(json: string, steps: JsonSteps): string | null {
  const found = at(json, steps);
  return found === undefined ? null : writeJson(found);
}

function scalarText(value: Json | undefined): string | null {
  if (value === undefined || value === null || isArray(value) || isObject(value)) return null;
  return value instanceof JsonNumber ? value.text : String(value);
}

/** One function for each style of paths. */
function byStyle<R>(
  name: string,
  result: ConstructorParameters<typeof JsFunction<readonly [string, string], R>>[2],
  compute: (json: string, steps: JsonSteps) => R | null,
) {
  const make = (style: JsonPathStyle) =>
    new JsFunction(`${name}_${style}`, [text, text], result, (json: string, path: string) =>
      compute(json, jsonSteps(path, style)),
    );
  return { quoted: make('quoted'), bracketed: make('bracketed') };
}

export const extractFunctions = [...Object.values(textExtractors), ...Object.values(jsonExtractors)].flatMap(
  ({ quoted, bracketed }) => [quoted, bracketed] as const,
);
