import creditCardType from 'credit-card-type';
import { nothing, type Range } from '../range.ts';

const shortestNumber = 12;

/** As they are printed on cards, with one separator throughout, or without any. */
const shapes = [
  '[0-9]{12,19}',
  '[0-9]{4}(?<a>[ -]|%20|\\+)[0-9]{4}\\k<a>[0-9]{4}\\k<a>[0-9]{1,7}(?:\\k<a>[0-9]{1,3})?',
  '[0-9]{4}(?<b>[ -]|%20|\\+)[0-9]{6}\\k<b>[0-9]{4,5}',
];
/** Neither a part of a longer word, of a UUID or of a decimal fraction, nor in the escape sequence before it. */
const before =
  '(?:%(?:25){0,2}|\\\\x)[0-9a-f]{2}|\\\\(?:[nrt]|u[0-9a-f]{4})|\\[[0-9;]{0,48}m|(?<![0-9a-z]|[0-9a-f]{4}-|[0-9]\\.)';
const candidate = new RegExp(`(${before})(${shapes.join('|')})(?![0-9a-z]|-[0-9a-z])`, 'gi');

interface Issuer {
  readonly lengths: ReadonlySet<number>;
  /** The first digits, from and to. */
  readonly prefixes: readonly (readonly [string, string])[];
}

const issuers: readonly Issuer[] = Object.values(creditCardType.types).map((name) => {
  const { lengths, patterns } = creditCardType.getTypeInfo(name);
  const prefixes = patterns.map((pattern) => {
    const [from, to] = typeof pattern === 'number' ? [pattern, pattern] : pattern;
    return [String(from), String(to)] as const;
  });
  return { lengths: new Set(lengths), prefixes };
});

/** Numbers of payment cards: of an issuer and of a length that it has, with a valid check digit. */
export function findCards(text: string): readonly Range[] {
  if (text.length < shortestNumber) return nothing;
  const found: Range[] = [];
  candidate.lastIndex = 0;
  for (let match = candidate.exec(text); match !== null; match = candidate.exec(text)) {
    const [whole, , number = ''] = match;
    const digits = number.replace(/%20|[^0-9]/g, '');
    const end = match.index + whole.length;
    if (isCheckDigitValid(digits) && isIssued(digits)) found.push({ start: end - number.length, end });
  }
  return found;
}

/** ISO/IEC 7812-1, annex B (Luhn). */
function isCheckDigitValid(digits: string): boolean {
  let sum = 0;
  for (let place = 1; place <= digits.length; place++) {
    const digit = digits.charCodeAt(digits.length - place) - 0x30;
    const weighted = place % 2 === 0 ? 2 * digit : digit;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

function isIssued(digits: string): boolean {
  return issuers.some(
    ({ lengths, prefixes }) =>
      lengths.has(digits.length) &&
      prefixes.some(([from, to]) => digits.slice(0, from.length) >= from && digits.slice(0, to.length) <= to),
  );
}
