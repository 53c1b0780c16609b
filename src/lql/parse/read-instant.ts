import { parseTimestamp } from '../../sql/timestamp-text.ts';
import type { Instant } from '../syntax.ts';

const microsPerMilli = 1000n;

/**
 * Parses an instant: a date (its midnight), a date and time without zone (UTC) or with one, or a Unix time of 10, 13 or
 * 16 digits. Microseconds of the latter are truncated to milliseconds.
 *
 * @returns undefined for a text of another form, `impossible` for a date or time that is not in the calendar
 */
export function readInstant(text: string): Instant | 'impossible' | undefined {
  if (/^(?:\d{10}|\d{13}|\d{16})$/.test(text)) return { form: 'zoned', micros: unixMicros(text) };
  const parts = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?(Z|[+-]\d{2}:\d{2})?)?$/.exec(text);
  if (parts === null) return undefined;
  const micros = parseTimestamp(text);
  if (micros === undefined) return 'impossible';
  return { form: parts[1] === undefined ? 'date' : parts[2] === undefined ? 'datetime' : 'zoned', micros };
}

function unixMicros(digits: string): bigint {
  const value = BigInt(digits);
  if (digits.length === 10) return value * 1_000_000n;
  return digits.length === 13 ? value * microsPerMilli : (value / microsPerMilli) * microsPerMilli;
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
