import { JsonFault, parseJsonText } from '../../../../base/text/json-reader.ts';
import { type Json, JsonNumber, mostJsonLevels, objectOf, writeJson } from './json-value.ts';
import { canonicalNumber } from './number-text.ts';

/** Levels that older versions stored at most. */
const maxDepth = mostJsonLevels + 1;

const forms = {
  number: (text: string): Json =>
    Number.isFinite(Number(text)) ? new JsonNumber(canonicalNumber(text, 'round')) : text,
  object: objectOf,
  accepts: () => true,
};

/**
 * A JSON text as an older version stored it, in the one form of the type JSON. A number beyond FLOAT64, which no function can
 * read, becomes a text with its digits. What isn't JSON stays.
 */
export function repairedJson(text: string): string {
  try {
    return writeJson(parseJsonText<Json>(text, forms, maxDepth));
  } catch (error) {
    if (error instanceof JsonFault) return text;
    throw error;
  }
}
