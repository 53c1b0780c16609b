import { parseTimestamp } from '../../values/timestamp-text.ts';
import type { Instant } from '../syntax/syntax.ts';

const microsPerMilli = 1000n;

/**
 * Parses an instant: a date (its midnight), a date and time without zone (UTC) or with one, or a Unix time of 10 or
 * more digits (see `microsOfUnixTime`), truncated to milliseconds.
 *
 * @returns undefined for a text of another form, `impossible` for a date or time that is not in the calendar
 */
export function readInstant(text: string): Instant | 'impossible' | undefined {
  const unix = microsOfUnixTime(text);
  if (unix !== undefined) return { form: 'zoned', micros: (unix / microsPerMilli) * microsPerMilli };
  const parts = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?(Z|[+-]\d{2}:\d{2})?)?$/.exec(text);
  if (parts === null) return undefined;
  const micros = parseTimestamp(text);
  if (micros === undefined) return 'impossible';
  return { form: parts[1] === undefined ? 'date' : parts[2] === undefined ? 'datetime' : 'zoned', micros };
}

/** Digits of a Unix time after its seconds, as powers of ten microseconds, by its length. */
const powers: Readonly<Record<number, number>> = { 10: 6, 13: 3, 16: 0, 19: -3 };

/**
 * The microseconds of a Unix time: 10 digits are seconds, 13 milliseconds, 16 microseconds, and 19 nanoseconds, which are
 * truncated. Undefined for any other text.
 */
export function microsOfUnixTime(text: string): bigint | undefined {
  const power = /^\d+$/.test(text) ? powers[text.length] : undefined;
  if (power === undefined) return undefined;
  return power < 0 ? BigInt(text.slice(0, power)) : BigInt(text) * 10n ** BigInt(power);
}

const part = (digits: string) => String.raw`(?:\d${digits}|\{\d${digits}\.\.\d${digits}\})`;
/** Braces contain whole parts. All parts except years may have one digit. */
const bracedForm = new RegExp(
  `^${part('{4}')}-${part('{1,2}')}-${part('{1,2}')}` +
    `(?:T${part('{1,2}')}:${part('{1,2}')}:${part('{1,2}')}(?:\\.${part('{1,6}')})?(?:Z|[+-]\\d{2}:\\d{2})?)?$`,
);
const braced = /\{(\d+)\.\.(\d+)\}/g;

/**
 * The ends of a range with parts in braces, such as `2025-01-{05..09}`: the left numbers form the first end, the right
 * ones the last.
 */
export function readInstantRange(
  text: string,
): { readonly from: Instant; readonly to: Instant } | 'impossible' | undefined {
  if (!bracedForm.test(text)) return undefined;
  const end = (side: 1 | 2) =>
    readInstant(
      text.replace(braced, (...match) => {
        const digits: string = match[side];
        // Digits after a point are decimals.
        return text.charAt(match[3] - 1) === '.' ? digits : digits.padStart(2, '0');
      }),
    );
  const [from, to] = [end(1), end(2)];
  if (from === undefined || to === undefined) return undefined;
  return from === 'impossible' || to === 'impossible' ? 'impossible' : { from, to };
}
