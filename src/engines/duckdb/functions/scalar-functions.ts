import { hllFunctions } from './aggregates/hll.ts';
import { arrayFunctions } from './arrays.ts';
import type { FunctionEntries } from './call/entry.ts';
import { comparisonFunctions } from './comparison/comparison.ts';
import { logicFunctions } from './comparison/logic.ts';
import { quantifiedLikes } from './comparison/quantified-like.ts';
import { jsonFunctions } from './json/json.ts';
import { jsonKeysFunctions } from './json/json-keys.ts';
import { arithmeticFunctions } from './numbers/arithmetic.ts';
import { mathFunctions } from './numbers/math.ts';
import { numericTextFunctions } from './numbers/numeric-text.ts';
import { digestFunctions } from './text/digests.ts';
import { distanceFunctions } from './text/distances.ts';
import { encodingFunctions } from './text/encodings.ts';
import { formatFunctions } from './text/format.ts';
import { netFunctions } from './text/net.ts';
import { regexpFunctions } from './text/regexp.ts';
import { stringFunctions } from './text/strings.ts';
import { substringSearchFunctions } from './text/substring-search.ts';
import { dateArithmetic } from './time/date-arithmetic.ts';
import { dateFunctions } from './time/dates.ts';
import { intervalFunctions } from './time/intervals.ts';
import { timeTextFunctions } from './time/time-text.ts';

/** Every supported scalar function, by the analyzer's name in lower case. */
export const scalarFunctions: FunctionEntries = {
  ...logicFunctions,
  ...comparisonFunctions,
  ...arithmeticFunctions,
  ...mathFunctions,
  ...stringFunctions,
  ...numericTextFunctions,
  ...quantifiedLikes,
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
  ...hllFunctions,
};
