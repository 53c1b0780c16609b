import { JsonFault, parseJsonText } from '../../../../base/text/json-parser.ts';
import { Failure } from '../../../../sql/regexp/syntax.ts';
import { type Json, JsonNumber, mostJsonLevels, objectOf } from './json-value.ts';
import { canonicalNumber, type WideNumbers } from './number-text.ts';

/**
 * Parses strict JSON text. The first of several members with one name is kept.
 *
 * @throws Failure when it is invalid, or has a number that FLOAT64 can't hold, depending on `numbers`
 */
export function parseJson(text: string, numbers: WideNumbers): Json {
  const forms = {
    number: (digits: string): Json => new JsonNumber(canonicalNumber(digits, numbers)),
    object: objectOf,
    accepts: (unescaped: string) => unescaped.isWellFormed(),
  };
  try {
    return parseJsonText<Json>(text, forms, mostJsonLevels);
  } catch (error) {
    throw error instanceof JsonFault ? new Failure(`Invalid input to PARSE_JSON: ${wordsOf(error)}`) : error;
  }
}

function wordsOf({ kind, at }: JsonFault): string {
  return kind === 'depth' ? 'max nesting has been exceeded' : `syntax error while parsing value at ${at}`;
}
