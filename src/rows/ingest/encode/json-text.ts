import { DigitsNeeded, JsonNumber } from '../../../base/text/json-number.ts';
import { maxJsonLevels } from '../../../engines/duckdb/udf/json/json-value.ts';
import { quote } from './quote.ts';
import { RowValidationError } from './row-validation-error.ts';

/** The JSON text of a parsed value, with its numbers as written. Needs numbers with their digits. */
export function jsonText(value: unknown, depth = 0): string {
  if (depth > maxJsonLevels) throw new RowValidationError(`more than ${maxJsonLevels} levels of JSON`);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return quote(value);
  if (value instanceof JsonNumber) return value.text;
  if (typeof value === 'number') throw new DigitsNeeded();
  if (Array.isArray(value)) return `[${value.map((item) => jsonText(item, depth + 1)).join()}]`;
  const members = Object.entries(Object(value));
  return `{${members.map(([key, member]) => `${quote(key)}:${jsonText(member, depth + 1)}`).join()}}`;
}
