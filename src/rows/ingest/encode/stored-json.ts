import { DigitsNeeded, firstMembers, JsonNumber } from '../../../base/text/json-number.ts';
import {
  type Json,
  maxJsonLevels,
  objectOf,
  writeJson,
} from '../../../engines/duckdb/udf/json/json-value.ts';
import { isExact, storedNumber } from '../../../engines/duckdb/udf/json/number-text.ts';
import { unicodeText } from './quote.ts';
import { describeValue, RowValidationError } from './row-validation-error.ts';

/**
 * A parsed JSON value in the one form that values of the type JSON have, as a text: members in the order of their names, the
 * first of several with one name, and numbers as GoogleSQL prints them. Fractions are rounded to FLOAT64.
 *
 * Source: https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types#json_type
 *
 * @throws RowValidationError for a number that neither a 64-bit integer nor FLOAT64 can hold, for too many levels, and for a
 *   text that is not valid Unicode
 * @throws DigitsNeeded for numbers without their digits
 */
export function storedJson(value: unknown): string {
  return writeJson(jsonOf(value, 0));
}

function jsonOf(value: unknown, depth: number): Json {
  if (depth > maxJsonLevels) throw new RowValidationError(`more than ${maxJsonLevels} levels of JSON`);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return unicodeText(value);
  if (value instanceof JsonNumber) return new JsonNumber(checkedNumber(value.text));
  if (typeof value === 'number') throw new DigitsNeeded();
  if (Array.isArray(value)) return value.map((item, index) => within(index, item, depth));
  // A member that was renamed to another place is undefined.
  const members = firstMembers(Object(value)).filter(([, member]) => member !== undefined);
  return objectOf(members.map(([name, member]) => [unicodeText(name), within(name, member, depth)]));
}

function within(step: string | number, value: unknown, depth: number): Json {
  try {
    return jsonOf(value, depth + 1);
  } catch (error) {
    throw error instanceof RowValidationError && depth < maxShownSteps ? error.within(step) : error;
  }
}

/** Longer paths don't help. */
const maxShownSteps = 20;

function checkedNumber(text: string): string {
  if (!Number.isFinite(Number(text)))
    throw new RowValidationError(
      `expected a number within FLOAT64, got ${describeValue(new JsonNumber(text))}`,
    );
  const number = storedNumber(text, 'round');
  // A whole number may be an id, whose last digits matter.
  if (/^-?\d+$/.test(text) && !/^-?\d+$/.test(number) && !isExact(text))
    throw new RowValidationError(
      `expected a whole number of 64 bits or one that FLOAT64 has, got ${describeValue(new JsonNumber(text))}`,
    );
  return number;
}
