import { Failure } from '../../../../sql/values/function-errors.ts';
import { stringLiteral } from '../../dialect/literal.ts';
import { jsonTextParts, jsonTextScalars } from '../../macros/json.ts';
import { raise } from '../../macros/macro.ts';
import { canonicalJson, parseJsonText, prettyJson } from '../../udf/json/build-functions.ts';
import {
  jsonFloat64,
  jsonType,
  laxConversions,
  strictConversions,
} from '../../udf/json/convert-functions.ts';
import { jsonElement, jsonExtractors, jsonMember, textExtractors } from '../../udf/json/extract-functions.ts';
import { type JsonPathStyle, jsonSteps } from '../../udf/json/path.ts';
import { joinedTexts } from '../call/concatenated.ts';
import { type FunctionEntries, guarded, macro, totalWith } from '../call/entry.ts';
import type { FunctionCall } from '../call/function-call.ts';
import { jsonMutators } from './json-mutators.ts';
import { jsonOf, toJsonString } from './to-json-string.ts';

/** Paths into texts use SQL where DuckDB has the same result. Values of the type JSON are parsed in JavaScript. */
const extracted = (what: keyof typeof textExtractors, style: JsonPathStyle) =>
  totalWith(
    ([path = '$']) => typeof path === 'string' && duckPath(path, style) !== undefined,
    (call) => {
      const path = call.given(1);
      const args = [call.sql(0), path?.sql ?? "'$'"];
      if (call.arg(0).type.kind === 'JSON') return jsonExtractors[what][style].call(args, call.safe);
      const constant = path === undefined ? '$' : path.constant?.value;
      const steps = typeof constant === 'string' ? duckPath(constant, style) : undefined;
      const fast = what === 'scalar' ? jsonTextScalars : what === 'part' ? jsonTextParts : undefined;
      if (steps === undefined || fast === undefined) return textExtractors[what][style].call(args, call.safe);
      return fast[style].call([...args, stringLiteral(steps)]);
    },
  );

/** `json[0]`, `json['name']`. */
function subscript(call: FunctionCall): string {
  if (call.arg(0).type.kind !== 'JSON') throw call.refusal(call.arg(0).type.kind);
  const part = call.arg(1).type.kind === 'STRING' ? jsonMember : jsonElement;
  return part.call([call.sql(0), call.sql(1)]);
}

/** The JSON of a list of values. NULL elements become JSON null. */
function arrayOfValues(call: FunctionCall): string {
  const values = call.all().flatMap(({ sql, type }, i) => [...(i > 0 ? ["','"] : []), jsonOf(sql, type)]);
  return canonicalJson.call([joinedTexts(["'['", ...values, "']'"])]);
}

/** From alternating names and values, or from an array of names and one of values. */
function objectOfMembers(call: FunctionCall): string {
  const [first, second] = call.all();
  if (first?.type.kind === 'ARRAY' && second?.type.kind === 'ARRAY')
    return objectOfArrays(call, first.sql, second);
  const members: string[] = [];
  for (let i = 0; i < call.count; i += 2) {
    const value = call.arg(i + 1);
    if (i > 0) members.push("','");
    members.push(toJsonString(call.sql(i), call.arg(i).type), "':'", jsonOf(value.sql, value.type));
  }
  return jsonObject(members, call.safe);
}

/** @param members texts that are concatenated to its members */
function jsonObject(members: readonly string[], safe: boolean): string {
  return canonicalJson.call([joinedTexts(["'{'", ...members, "'}'"])], safe);
}

function objectOfArrays(call: FunctionCall, names: string, values: ReturnType<FunctionCall['arg']>): string {
  if (values.type.kind !== 'ARRAY') throw call.refusal(values.type.kind);
  const { element } = values.type;
  const member = `${toJsonString('m[1]', { kind: 'STRING' })} || ':' || m[2]`;
  const texts = `list_transform(${values.sql}, lambda v: ${jsonOf('v', element, { depth: 1 })})`;
  const pairs = `list_transform(list_zip(${names}, ${texts}), lambda m: ${member})`;
  const failure = (text: string) => (call.safe ? 'NULL' : raise(`'${text}'`, 'VARCHAR'));
  return `CASE WHEN ${names} IS NULL OR ${values.sql} IS NULL THEN ${failure('The arrays of keys and values of JSON_OBJECT must not be NULL.')}
    WHEN len(${names}) <> len(${values.sql}) THEN ${failure('The number of keys and values must match.')}
    ELSE ${jsonObject([`array_to_string(${pairs}, ',')`], call.safe)} END`;
}

export const jsonFunctions: FunctionEntries = {
  json_value: extracted('scalar', 'quoted'),
  json_extract_scalar: extracted('scalar', 'bracketed'),
  json_query: extracted('part', 'quoted'),
  json_extract: extracted('part', 'bracketed'),
  json_query_array: extracted('parts', 'quoted'),
  json_extract_array: extracted('parts', 'bracketed'),
  json_value_array: extracted('scalars', 'quoted'),
  json_extract_string_array: extracted('scalars', 'bracketed'),
  parse_json: guarded((call) =>
    parseJsonText.call([call.sql(0), call.given(1)?.sql ?? "'exact'"], call.safe),
  ),
  to_json: guarded((call) => {
    const { sql, type } = call.arg(0);
    const wide = call.given(1);
    if (wide?.constant?.isNull === true) return wide.constant.sqlAs(call.type);
    if (wide !== undefined && typeof wide.constant?.value !== 'boolean')
      throw call.refusal('a computed option');
    return canonicalJson.call([jsonOf(sql, type, { isWideQuoted: wide?.constant?.value === true })]);
  }),
  to_json_string: guarded((call) => {
    const json = toJsonString(call.sql(0), call.arg(0).type);
    const pretty = call.given(1);
    return pretty === undefined || pretty.constant?.value === false
      ? json
      : prettyJson.call([json, pretty.sql]);
  }),
  json_type: macro(jsonType),
  json_array: guarded(arrayOfValues),
  json_object: guarded(objectOfMembers),
  bool: macro(strictConversions.BOOL),
  int64: macro(strictConversions.INT64),
  float64: guarded((call) => jsonFloat64.call([call.sql(0), call.given(1)?.sql ?? "'round'"], call.safe)),
  lax_bool: macro(laxConversions.BOOL),
  lax_int64: macro(laxConversions.INT64),
  lax_float64: macro(laxConversions.FLOAT64),
  lax_string: macro(laxConversions.STRING),
  $subscript: guarded(subscript),
  ...jsonMutators,
};

/**
 * A GoogleSQL JSONPath in DuckDB's form, with every name quoted. Undefined for an invalid path, and for one that DuckDB
 * interprets differently: DuckDB distinguishes indexes from names, while GoogleSQL accepts either.
 */
function duckPath(path: string, style: JsonPathStyle): string | undefined {
  try {
    const steps = jsonSteps(path, style);
    return steps.some((step) => /["\\*]|^\d/.test(step))
      ? undefined
      : `$${steps.map((step) => `."${step}"`).join('')}`;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
