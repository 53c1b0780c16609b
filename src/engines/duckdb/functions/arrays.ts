import type { SqlType } from '../../../sql/values/type.ts';
import { duckType } from '../dialect/duck-type.ts';
import { computed, constantExpression, type Expression } from '../dialect/expression.ts';
import { literalSql } from '../dialect/literal.ts';
import {
  elementAt,
  elementOrNull,
  generateArray,
  generateDoubles,
  generateTimes,
  joinArray,
  joinArrayWidely,
  joinArrayWithNulls,
  reversedArray,
} from '../macros/arrays.ts';
import { entryBytes } from '../macros/list-bytes.ts';
import { whenRoom } from '../udf/js/claim.ts';
import { joinedTexts } from '../udf/text/text-functions.ts';
import { sumOf } from './call/concatenated.ts';
import { type FunctionEntries, guarded, template, total } from './call/entry.ts';
import type { FunctionCall } from './call/function-call.ts';
import { comparisonKeys } from './comparison/comparison-key.ts';
import { decimalFunctions } from './numbers/decimals.ts';
import { intervalOf, leastLength } from './time/date-parts.ts';

const element = (first: 0 | 1) =>
  guarded((call) => elementAt.call([call.sql(0), call.sql(1), String(first)], call.safe));

const elementIfAny = (first: 0 | 1) =>
  total((call) => elementOrNull.call([call.sql(0), call.sql(1), String(first)]));

/** Concatenates all at once: otherwise each step would copy the previous result. */
const concat = total((call) => {
  const arrays = call.all().map(({ sql }) => sql);
  const elements = sumOf(arrays.map((sql) => `len(${sql})`));
  return `CASE ${whenRoom(`((${elements}) * ${entryBytes})`)} flatten([${arrays.join(', ')}]) END`;
});

/** The maximum length of a delimiter that adds little to the array's size. */
const shortDelimiter = 16;

/** The same call with the digits of bytes in place of them: DuckDB joins only texts. */
function inHexDigits(call: FunctionCall): FunctionCall {
  const string: SqlType = { kind: 'STRING' };
  const [array, ...others] = call.all() as readonly [Expression, ...Expression[]];
  const digits = computed(
    `list_transform(${array.sql}, lambda b: hex(b))`,
    { kind: 'ARRAY', element: string },
    1 + array.weight,
  );
  const rest = others.map(({ sql, constant, weight }) =>
    constant?.isNull ? constantExpression(string, constant) : computed(`hex(${sql})`, string, 1 + weight),
  );
  return call.with([digits, ...rest], string);
}

function toText(call: FunctionCall): string {
  const array = call.arg(0);
  if (array.type.kind === 'ARRAY' && array.type.element.kind === 'BYTES')
    return `unhex(${toText(inHexDigits(call))})`;
  const [delimiter, nullText] = [call.sql(1), call.optional(2)];
  const known = call.arg(1).constant?.value;
  if (nullText?.constant?.isNull) return 'CAST(NULL AS VARCHAR)';
  // DuckDB's own function requires a constant delimiter.
  if (typeof known !== 'string' || (nullText !== undefined && nullText.constant === undefined))
    return joinedTexts.call([array.sql, delimiter, nullText?.sql ?? "''", String(nullText !== undefined)]);
  if (nullText !== undefined) return joinArrayWithNulls.call([array.sql, delimiter, nullText.sql]);
  return (known.length > shortDelimiter ? joinArrayWidely : joinArray).call([array.sql, delimiter]);
}

function series(call: FunctionCall): string {
  if (call.type.kind !== 'ARRAY') throw call.refusal(call.type.kind);
  const [from, to, step] = [call.sql(0), call.sql(1), call.optional(2)?.sql];
  switch (call.type.element.kind) {
    case 'INT64':
      return generateArray.call([from, to, step ?? '1::BIGINT'], call.safe);
    case 'FLOAT64':
      return generateDoubles.call([from, to, step ?? '1::DOUBLE'], call.safe);
    default: {
      const decimal = decimalFunctions(call.type.element);
      if (decimal === undefined) throw call.refusal(call.type.element.kind);
      return decimal.series.call([from, to, step ?? literalSql(call.type.element, '1')], call.safe);
    }
  }
}

function times(call: FunctionCall): string {
  const count = call.optional(2)?.sql ?? '1';
  const part = call.optional(3) === undefined ? 'DAY' : call.constantText(3, 'date part');
  const step = [intervalOf(count, part), leastLength(count, part)];
  return `CAST(${generateTimes.call([call.sql(0), call.sql(1), ...step], call.safe)} AS ${duckType(call.type)})`;
}

/** NULL equals NULL and NaN equals NaN here, as in SELECT DISTINCT. */
function isDistinct(call: FunctionCall): string {
  const { sql: array, type } = call.arg(0);
  if (type.kind !== 'ARRAY') throw call.refusal(type.kind);
  const unique = (list: string) => `list_unique(${list}) = list_count(${list})`;
  const nulls = `len(${array}) - list_count(${array}) <= 1`;
  if (type.element.kind !== 'FLOAT64') return `(${unique(comparisonKeys(array, type.element))} AND ${nulls})`;
  const numbers = `list_filter(${array}, lambda x: NOT isnan(x))`;
  return `(${unique(numbers)} AND ${nulls} AND len(list_filter(${array}, lambda x: isnan(x))) <= 1)`;
}

/**
 * Of a list with one value that isn't constant, DuckDB makes those for the whole dictionary of a stored column, and lambdas
 * over them then fail for values that conditions exclude. Of a slice, it doesn't.
 */
function madeOf(call: FunctionCall): string {
  const elements = call.all();
  const list = `[${elements.map(({ sql }) => sql).join(', ')}]`;
  const isOfOne = elements.filter(({ constant }) => constant === undefined).length === 1;
  return `CAST(${list}${isOfOne ? '[:]' : ''} AS ${duckType(call.type)})`;
}

export const arrayFunctions: FunctionEntries = {
  $make_array: total(madeOf),
  $array_at_offset: element(0),
  $array_at_ordinal: element(1),
  $safe_array_at_offset: elementIfAny(0),
  $safe_array_at_ordinal: elementIfAny(1),
  array_is_distinct: total(isDistinct),
  array_length: total(template('len($1)')),
  array_concat: concat,
  array_reverse: total((call) => reversedArray.call([call.sql(0)])),
  array_to_string: total(toText),
  generate_array: guarded(series),
  generate_timestamp_array: guarded(times),
  generate_date_array: guarded(times),
};
