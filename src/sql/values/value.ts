/**
 * A value of a result or a parameter, in the same form for every engine. By GoogleSQL type:
 *
 * | type | value |
 * |---|---|
 * | any NULL | `null` |
 * | BOOL | boolean |
 * | INT64 | bigint |
 * | FLOAT64 | number, `NaN` and infinities included |
 * | STRING | string |
 * | TIMESTAMP | bigint: microseconds since 1970-01-01 00:00:00 UTC |
 * | DATETIME | string `YYYY-MM-DDTHH:MM:SS[.ffffff]`, six digits unless the fraction is zero |
 * | DATE | string `YYYY-MM-DD` |
 * | TIME | string `HH:MM:SS[.ffffff]` |
 * | NUMERIC, BIGNUMERIC | string: decimal digits without exponent or trailing zeros |
 * | BYTES | string: base64 |
 * | JSON | string: the JSON text |
 * | INTERVAL | string as BigQuery prints it: `Y-M D H:M:S[.f]` |
 * | ARRAY | array of element values |
 * | STRUCT | array of field values, by position |
 */
export type Value = null | boolean | bigint | number | string | readonly Value[];

/** One row of a result: a value for each column, by position. */
export type Row = readonly Value[];

/** Whether a value is a list: that of an ARRAY or a STRUCT. */
export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}
