import type { SqlType } from '../../../../sql/values/type.ts';
import { bignumericFunctions, numericFunctions } from '../../udf/decimals/decimal-functions.ts';
import { bignumericMaths, numericMaths } from '../../udf/decimals/decimal-maths.ts';

/** The functions of a decimal type. Undefined for other types. */
export function decimalFunctions(type: SqlType): typeof numericFunctions | undefined {
  switch (type.kind) {
    case 'NUMERIC':
      return numericFunctions;
    case 'BIGNUMERIC':
      return bignumericFunctions;
    default:
      return undefined;
  }
}

/** The same for powers and logarithms. */
export function decimalMaths(type: SqlType): typeof numericMaths | undefined {
  switch (type.kind) {
    case 'NUMERIC':
      return numericMaths;
    case 'BIGNUMERIC':
      return bignumericMaths;
    default:
      return undefined;
  }
}
