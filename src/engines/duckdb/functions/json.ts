import { stringLiteral } from '../literal.ts';
import { jsonQuery, jsonQueryArray, jsonValue, jsonValueArray, parseJson } from '../macros/json.ts';
import type { Macro } from '../macros/macro.ts';
import { type FunctionEntries, guarded, total } from './entry.ts';
import type { FunctionCall } from './function-call.ts';
import { type JsonPathStyle, jsonMember, jsonPath } from './json-path.ts';
import { toJsonString } from './to-json-string.ts';

const byPath = (definition: Macro, style: JsonPathStyle = 'quoted') =>
  total((call) => {
    const path = call.optional(1) === undefined ? '$' : jsonPath(call.constantText(1, 'JSONPath'), style);
    return definition.call([call.sql(0), stringLiteral(path)]);
  });

/** `json[0]`, `json['name']`. */
function subscript(call: FunctionCall): string {
  if (call.arg(0).type.kind !== 'JSON') throw call.refusal(call.arg(0).type.kind);
  const key = call.constant(1, 'subscript');
  if (typeof key === 'bigint' && key < 0n) throw call.refusal('a negative subscript');
  const path = typeof key === 'string' ? jsonMember(key) : `$[${key}]`;
  return `CAST(json_extract(${call.sql(0)}, ${stringLiteral(path)}) AS VARCHAR)`;
}

const writeJson = total((call) => {
  if (call.optional(1) !== undefined && call.arg(1).constant !== false) throw call.refusal('an option');
  return toJsonString(call.sql(0), call.arg(0).type);
});

export const jsonFunctions: FunctionEntries = {
  json_value: byPath(jsonValue),
  json_extract_scalar: byPath(jsonValue, 'bracketed'),
  json_query: byPath(jsonQuery),
  json_extract: byPath(jsonQuery, 'bracketed'),
  json_query_array: byPath(jsonQueryArray),
  json_extract_array: byPath(jsonQueryArray, 'bracketed'),
  json_value_array: byPath(jsonValueArray),
  json_extract_string_array: byPath(jsonValueArray, 'bracketed'),
  parse_json: guarded((call) => {
    if (call.optional(1) !== undefined && call.arg(1).constant !== 'exact') throw call.refusal('a mode');
    return parseJson.call([call.sql(0)], call.safe);
  }),
  to_json_string: writeJson,
  $subscript: total(subscript),
};
