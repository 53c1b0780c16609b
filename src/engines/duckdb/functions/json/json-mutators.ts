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

/** Alternating paths and values, followed by an option if given. */
function eachPair(
  call: FunctionCall,
  apply: (json: string, path: string, value: Expression, option: string) => string,
): string {
  const [json, ...rest] = call.all();
  if (json === undefined) throw call.refusal('no argument');
  const hasOption = rest.length % 2 === 1;
  const option = hasOption ? rest.at(-1) : undefined;
  const pairs = rest.slice(0, hasOption ? -1 : undefined);
  let result = json.sql;
  for (let i = 0; i < pairs.length; i += 2) {
    const [path, value] = [pairs[i] as Expression, pairs[i + 1] as Expression];
    result = apply(
      result,
      path.sql,
      value,
      option === undefined || option.constant?.isNull ? 'true' : option.sql,
    );
  }
  return result;
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
    return paths.reduce((result, { sql, constant }) => {
      const removed = jsonRemove.call([result, sql], call.safe);
      if (constant !== undefined && !constant.isNull) return removed;
      return `CASE WHEN ${sql} IS NULL THEN ${result} ELSE ${removed} END`;
    }, json?.sql ?? 'NULL');
  }),
  json_array_append: intoArray(jsonArrayAppend),
  json_array_insert: intoArray(jsonArrayInsert),
  json_strip_nulls: guarded((call) =>
    jsonStripNulls.call(
      [call.sql(0), call.given(1)?.sql ?? "'$'", call.given(2)?.sql ?? 'true', call.given(3)?.sql ?? 'false'],
      call.safe,
    ),
  ),
};
