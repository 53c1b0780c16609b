import type { SqlType } from '../../../../sql/values/type.ts';
import { bignumericScale } from '../../dialect/decimal-units.ts';
import { duckType } from '../../dialect/duck-type.ts';

/** The DuckDB types whose values come as texts that a cast would not read: the conversion of such a text, as SQL. */
const conversions: ReadonlyMap<string, (text: string) => string> = new Map([
  ['BLOB', (text) => `from_base64(${text})`],
  ['BIGNUM', unitsOfDecimal],
]);

/** How the values of a type come into the store as texts: their conversion, unless a cast reads them. */
export function textConversion(type: SqlType | string): ((text: string) => string) | undefined {
  return conversions.get(typeof type === 'string' ? type : duckType(type));
}

/** BIGNUMERIC is stored in units, as an integer: its digits before the point, then those after it. */
function unitsOfDecimal(text: string): string {
  const fraction = `rpad(split_part(${text}, '.', 2), ${bignumericScale}, '0')`;
  return `CAST(split_part(${text}, '.', 1) || ${fraction} AS BIGNUM)`;
}
