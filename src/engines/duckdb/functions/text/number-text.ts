import type { SqlType } from '../../../../sql/values/type.ts';
import { numericToString } from '../../macros/numbers.ts';
import { bignumericFunctions } from '../../udf/decimals/decimal-functions.ts';

/** The digits of a number as SQL, for functions in JavaScript. Undefined for types other than numbers. */
export function numberText(type: SqlType, value: string): string | undefined {
  switch (type.kind) {
    case 'INT64':
    case 'FLOAT64':
      return `CAST(${value} AS VARCHAR)`;
    case 'NUMERIC':
      return numericToString.call([value]);
    case 'BIGNUMERIC':
      return bignumericFunctions.toText.call([value]);
    default:
      return undefined;
  }
}
