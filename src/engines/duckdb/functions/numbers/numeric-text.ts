import { bignumericFunctions, numericFunctions } from '../../udf/decimals/decimal-functions.ts';
import { type FunctionEntries, macro } from '../call/entry.ts';

/** Parses texts with a more lenient syntax than a cast. */
export const numericTextFunctions: FunctionEntries = {
  parse_numeric: macro(numericFunctions.parse),
  parse_bignumeric: macro(bignumericFunctions.parse),
};
