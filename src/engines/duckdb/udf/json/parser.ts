import { JsonNumber } from '../../../../base/text/json-number.ts';
import { JsonFault, parseJsonText } from '../../../../base/text/json-reader.ts';
import { Failure } from '../../../../sql/values/function-errors.ts';
import { type Json, maxJsonLevels, objectOf, writeJson } from './json-value.ts';
import type { WideNumbers } from './number-text.ts';
import { storedNumber } from './number-text.ts';

/**
 * Parses strict JSON text. The first of several members with one name is kept.
 *
 * @throws Failure when it is invalid, or has a number that FLOAT64 can't hold, depending on `numbers`
 */
export function parseJson(text: string, numbers: WideNumbers): Json {
  const forms = {
    number: (digits: string): Json => new JsonNumber(storedNumber(digits, numbers)),
    object: objectOf,
    accepts: (unescaped: string) => unescaped.isWellFormed(),
  };
  try {
    return parseJsonText<Json>(text, forms, maxJsonLevels);
  } catch (error) {
    throw error instanceof JsonFault ? new Failure(`Invalid input to PARSE_JSON: ${wordsOf(error)}`) : error;
  }
}

function wordsOf({ kind, at }: JsonFault): string {
  return kind === 'depth' ? 'max nesting has been exceeded' : `syntax error while parsing value at ${at}`;
}

const repairedForms = {
  number: (text: string): Json =>
    Number.isFinite(Number(text)) ? new JsonNumber(storedNumber(text, 'round')) : text,
  object: objectOf,
  accepts: () => true,
};

/**
 * A JSON text as an older version stored it, in the one form of the type JSON. A number beyond FLOAT64, which no function can
 * read, becomes a text with its digits. What isn't JSON stays.
 */
export function repairedJson(text: string): string {
  try {
    // Older versions stored one level more.
    return writeJson(parseJsonText<Json>(text, repairedForms, maxJsonLevels + 1));
  } catch (error) {
    if (error instanceof JsonFault) return text;
    throw error;
  }
}
