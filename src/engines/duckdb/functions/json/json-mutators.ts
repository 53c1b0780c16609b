import type { Expression } from '../../dialect/expression.ts';
import {
  jsonArrayAppend,
  jsonArrayInsert,
  jsonRemove,
  jsonSet,
  jsonStripNulls,
} from '../../udf/json/change-functions.ts';
import { type FunctionEntries, guarded } from '../call/entry.ts';
import type { FunctionCall } from '../call/function-call.ts';
import { jsonOf } from './to-json-string.ts';

/** A change that a NULL path or option turns into none: the value stays as it is. */
function unlessNull(json: string, needed: Expression, changed: string): string {
  const { constant, sql } = needed;
  if (constant !== undefined) return constant.isNull ? json : changed;
  return `CASE WHEN ${sql} IS NULL THEN ${json} ELSE ${changed} END`;
}

/** Alternating paths and values, followed by an option if given. */
function eachPair(
  call: FunctionCall,
  apply: (json: string, path: string, value: Expression, option: string) => string,
): string {
  const [json, ...rest] = call.all();
  if (json === undefined) throw call.refusal('no argument');
  const hasOption = rest.length % 2 === 1;
  const last = hasOption ? rest.at(-1) : undefined;
  const option = last?.isOmitted === true ? undefined : last;
  const pairs = rest.slice(0, hasOption ? -1 : undefined);
  let result = json.sql;
  for (let i = 0; i < pairs.length; i += 2) {
    const [path, value] = [pairs[i] as Expression, pairs[i + 1] as Expression];
    if (path.constant === undefined) throw call.refusal('a computed path');
    result = unlessNull(result, path, apply(result, path.sql, value, option?.sql ?? 'true'));
  }
  return option === undefined ? result : unlessNull(json.sql, option, result);
}

/** If the option is set, SQL arrays are inserted element by element. JSON arrays are not. */
const intoArray = (change: typeof jsonArrayAppend) =>
  guarded((call) =>
    eachPair(call, (json, path, value, option) => {
      const each = value.type.kind === 'ARRAY' ? option : 'false';
      return change.call([json, path, jsonOf(value.sql, value.type), each], call.safe);
    }),
  );

export const jsonMutators: FunctionEntries = {
  json_set: guarded((call) =>
    eachPair(call, (json, path, { sql, type }, create) =>
      jsonSet.call([json, path, jsonOf(sql, type), create], call.safe),
    ),
  ),
  json_remove: guarded((call) => {
    const [json, ...paths] = call.all();
    return paths.reduce(
      (result, path) => unlessNull(result, path, jsonRemove.call([result, path.sql], call.safe)),
      json?.sql ?? 'NULL',
    );
  }),
  json_array_append: intoArray(jsonArrayAppend),
  json_array_insert: intoArray(jsonArrayInsert),
  json_strip_nulls: guarded((call) => {
    const json = call.sql(0);
    const options = [call.arg(1), call.arg(2), call.arg(3)];
    const stripped = jsonStripNulls.call([json, ...options.map(({ sql }) => sql)], call.safe);
    return options.reduce((result, option) => unlessNull(json, option, result), stripped);
  }),
};
