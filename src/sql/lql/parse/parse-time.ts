import { parseTimestamp } from '../../values/timestamp-text.ts';
import {
  type Comparison,
  type Instant,
  shortTimeUnits,
  type TimeFilter,
  type TimeUnit,
  timeUnits,
  type When,
} from '../syntax/syntax.ts';
import type { Scanner } from './scanner.ts';

/** The unit with this name: its short name, or its long name in singular or plural. */
function timeUnitOf(name: string): TimeUnit | undefined {
  return shortTimeUnits.get(name) ?? timeUnits.find((unit) => name === unit || name === `${unit}s`);
}

const operator = /:(>=|<=|>|<)?/y;

const expected =
  'expected a time, as 2025-01-31, 2025-01-31T10:00:00Z, 1738317600, a range of two with .. between, now, today, yesterday, this@day or last@5m';

/** Parses what follows `t`: an operator and a time. */
export function parseTime(scanner: Scanner): TimeFilter {
  const operatorAt = scanner.at;
  const [, sign] = scanner.take(operator) ?? scanner.fail('expected :');
  if (scanner.sees(/~|@>/y)) scanner.fail('expected :, :>, :>=, :< or :<= before a time', operatorAt);
  const comparison = (sign ?? '=') as Comparison;
  const { at } = scanner;
  const when = parseWhen(scanner, comparison);
  if (sign !== undefined && !('comparison' in when)) {
    scanner.fail(`:${sign} is not possible with a time range`, operatorAt);
  }
  scanner.expectEnd('');
  if (when.kind === 'between' && when.from.form !== when.to.form) {
    scanner.fail('both ends of a range are dates, or times without a zone, or times with one', at);
  }
  return { kind: 'time', when };
}

function parseWhen(scanner: Scanner, comparison: Comparison): When {
  const { at } = scanner;
  const token = scanner.takeToken();
  if (token === '') scanner.fail(expected, at);
  if (token === 'now') return { kind: 'now', comparison };
  if (token === 'today' || token === 'yesterday') return { kind: token };
  if (token.startsWith('this@')) return parseThis(scanner, token.slice(5), at + 5);
  if (token.startsWith('last@')) return parseLast(scanner, token.slice(5), at + 5);
  const read = (text: string, textAt: number): Instant => {
    const instant = readInstant(text);
    if (instant === 'impossible') scanner.fail('there is no such time', textAt);
    return instant ?? scanner.fail(expected, textAt);
  };
  if (token.includes('{')) {
    const ends = readInstantRange(token);
    if (ends === 'impossible') scanner.fail('there is no such time', at);
    return ends === undefined ? scanner.fail(expected, at) : { kind: 'between', ...ends };
  }
  const middle = token.indexOf('..');
  if (middle < 0) return { kind: 'compare', comparison, time: read(token, at) };
  const from = read(token.slice(0, middle), at);
  return { kind: 'between', from, to: read(token.slice(middle + 2), at + middle + 2) };
}

function parseThis(scanner: Scanner, name: string, at: number): When {
  const unit = timeUnitOf(name);
  if (unit === undefined || unit === 'second') {
    scanner.fail('expected minute, hour, day, week, month or year', at);
  }
  return { kind: 'this', unit };
}

function parseLast(scanner: Scanner, text: string, at: number): When {
  const digits = /^\d*/.exec(text)?.[0] ?? '';
  if (digits.length > 4) scanner.fail('expected a number of at most 4 digits', at);
  const unit = timeUnitOf(text.slice(digits.length));
  if (unit === undefined) {
    scanner.fail('expected a unit: s, m, h, d, w, mm for months, or y', at + digits.length);
  }
  return { kind: 'last', count: digits === '' ? 1 : Number(digits), unit };
}

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
function readInstantRange(
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
