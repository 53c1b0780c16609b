import { DigitsNeeded, JsonNumber } from '../../../base/text/json-number.ts';

/**
 * The id that a number stands for: `7` for 7, 7.0 and 7e0, so that a row has one id however its sender writes it, and the
 * digits of a number that is no whole one or a long one. Undefined for a value that is no number.
 *
 * @throws DigitsNeeded for such a number without its digits
 */
export function numericId(id: unknown): string | undefined {
  if (typeof id !== 'number' && !(id instanceof JsonNumber)) return undefined;
  const value = Number(String(id));
  if (Number.isSafeInteger(value)) return String(value);
  if (typeof id === 'number') throw new DigitsNeeded();
  return id.text;
}
