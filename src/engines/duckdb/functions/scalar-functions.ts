import { arithmeticFunctions } from './arithmetic.ts';
import { arrayFunctions } from './arrays.ts';
import { comparisonFunctions } from './comparison.ts';
import { dateArithmetic } from './date-arithmetic.ts';
import { dateFunctions } from './dates.ts';
import { digestFunctions } from './digests.ts';
import { distanceFunctions } from './distances.ts';
import { encodingFunctions } from './encodings.ts';
import type { FunctionEntries } from './entry.ts';
import { formatFunctions } from './format.ts';
import { intervalFunctions } from './intervals.ts';
import { jsonFunctions } from './json.ts';
import { jsonKeysFunctions } from './json-keys.ts';
import { logicFunctions } from './logic.ts';
import { mathFunctions } from './math.ts';
import { netFunctions } from './net.ts';
import { numericTextFunctions } from './numeric-text.ts';
import { regexpFunctions } from './regexp.ts';
import { stringFunctions } from './strings.ts';
import { substringSearchFunctions } from './substring-search.ts';
import { timeTextFunctions } from './time-text.ts';

/** Every scalar function that can be had, by the analyzer's name in lower case. */
export const scalarFunctions: FunctionEntries = {
  ...logicFunctions,
  ...comparisonFunctions,
  ...arithmeticFunctions,
  ...mathFunctions,
  ...stringFunctions,
  ...numericTextFunctions,
  ...regexpFunctions,
  ...digestFunctions,
  ...encodingFunctions,
  ...formatFunctions,
  ...netFunctions,
  ...dateFunctions,
  ...dateArithmetic,
  ...intervalFunctions,
  ...timeTextFunctions,
  ...arrayFunctions,
  ...jsonFunctions,
  ...jsonKeysFunctions,
  ...distanceFunctions,
  ...substringSearchFunctions,
};
