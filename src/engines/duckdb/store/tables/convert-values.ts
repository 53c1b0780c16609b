import { UnsupportedError } from '../../../../sql/resolved/unsupported.ts';
import { type ScalarTypeName, type SqlType, scalarTypeNames } from '../../../../sql/values/type.ts';
import { duckType } from '../../dialect/duck-type.ts';
import { convert } from '../../functions/conversions/conversions.ts';
import { parseJsonText } from '../../udf/json/build-functions.ts';

/** Conversions by which no value is lost or becomes another one, so that no row is looked at before. */
const lossless = new Set([
  'BOOL>INT64',
  'BOOL>STRING',
  'INT64>NUMERIC',
  'INT64>BIGNUMERIC',
  'INT64>STRING',
  'FLOAT64>STRING',
  'NUMERIC>BIGNUMERIC',
  'NUMERIC>STRING',
  'BIGNUMERIC>STRING',
  'STRING>BYTES',
  'DATE>DATETIME',
  'DATE>TIMESTAMP',
  'DATE>STRING',
  'DATETIME>TIMESTAMP',
  'TIMESTAMP>DATETIME',
  'DATETIME>STRING',
  'TIMESTAMP>STRING',
  'TIME>STRING',
  'JSON>STRING',
]);

/** Whether values of a scalar type can become values of another one: by a cast of GoogleSQL, with nothing cut off. */
export function canConvert(from: string, to: string): boolean {
  if (from === to || lossless.has(`${from}>${to}`)) return true;
  if (converted(from, to, 'v') === undefined) return false;
  return from === 'STRING' || converted(to, from, 'v') !== undefined;
}

/** Whether rows must be tried before: some values may not become values of the other type. */
export function isTried(from: string, to: string): boolean {
  return from !== to && !lossless.has(`${from}>${to}`);
}

/**
 * The condition that a value can't become one of the other type without loss: it is no such value, or another one when it is
 * brought back. Texts need only be written as such values, numbers with all of their digits.
 */
export function isLost(from: string, to: string, value: string): string {
  const forth = convertedValue(from, to, value);
  const none = `(${value} IS NOT NULL AND ${forth} IS NULL)`;
  if (from === 'STRING') return decimals.has(to) ? `(${none} OR ${hasMoreDigits(value, to, forth)})` : none;
  return `(${none} OR ${convertedValue(to, from, forth)} IS DISTINCT FROM ${value})`;
}

const decimals: ReadonlySet<string> = new Set(['NUMERIC', 'BIGNUMERIC', 'FLOAT64']);

/** The condition that a text has more digits than the number that is made of it: BIGNUMERIC has 38 after the point. */
function hasMoreDigits(text: string, to: string, number: string): string {
  const exact = convertedValue('STRING', 'BIGNUMERIC', text);
  const written = convertedValue('STRING', 'BIGNUMERIC', convertedValue(to, 'STRING', number));
  const mantissa = `regexp_extract(${text}, '^[^eE]*')`;
  const fraction = `regexp_extract(${mantissa}, '\\.([0-9]*?)0*\\s*$', 1)`;
  const exponent = `coalesce(TRY_CAST(regexp_extract(${text}, '[eE]([-+]?[0-9]+)', 1) AS INTEGER), 0)`;
  const isDeep = `${exact} IS NOT NULL AND length(${fraction}) - ${exponent} > 38`;
  const others = to === 'FLOAT64' ? ofFloat(text, mantissa, number, isDeep) : isDeep;
  return `(${written} IS DISTINCT FROM ${exact} OR (${others}))`;
}

/** FLOAT64 has a value for all texts of 17 digits, unless it is too large. */
function ofFloat(text: string, mantissa: string, number: string, isDeep: string): string {
  const digits = `regexp_replace(regexp_replace(${mantissa}, '[^0-9]', '', 'g'), '^0+|0+$', '', 'g')`;
  const isTooLarge = `isinf(${number}) AND NOT regexp_matches(${text}, '(?i)inf')`;
  return `(${isTooLarge}) OR (${isDeep} AND length(${digits}) > 17)`;
}

/** A value as one of another scalar type; NULL if it can't be one. Only for types that `canConvert` allows. */
export function convertedValue(from: string, to: string, value: string): string {
  const sql = converted(from, to, value);
  if (sql === undefined) throw new Error(`There is no conversion from ${from} to ${to}`);
  return sql;
}

/** Whether DuckDB converts such values by a cast: its log can be replayed only if an ALTER has no functions. */
export function isPlainCast(from: string, to: string): boolean {
  const sql = convertedValue(from, to, 'v');
  return sql === 'v' || sql === `CAST(v AS ${duckType(scalar(to))})`;
}

function converted(from: string, to: string, value: string): string | undefined {
  if (from === to || (from === 'JSON' && to === 'STRING')) return value;
  if (from === 'STRING' && to === 'JSON') return parseJsonText.call([value, "'exact'"], true);
  if (from === 'JSON' || to === 'JSON') return undefined;
  try {
    return convert(scalar(from), scalar(to), { value, constant: undefined, safe: true, zone: undefined });
  } catch (error) {
    if (error instanceof UnsupportedError) return undefined;
    throw error;
  }
}

function scalar(name: string): SqlType & { readonly kind: ScalarTypeName } {
  const kind = scalarTypeNames.find((known) => known === name);
  if (kind === undefined) throw new TypeError(`There is no scalar type ${name}`);
  return { kind };
}
