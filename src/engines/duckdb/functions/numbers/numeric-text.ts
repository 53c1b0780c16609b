import { bignumericFunctions, numericFunctions } from '../../udf/decimal-functions.ts';
import { type FunctionEntries, macro } from '../entry.ts';

/** Texts read more freely than a cast reads them. */
export const numericTextFunctions: FunctionEntries = {
  parse_numeric: macro(numericFunctions.parse),
  parse_bignumeric: macro(bignumericFunctions.parse),
};
