import creditCardType from 'credit-card-type';
import { type DigitGroups, digitGroupsAt, digitsEnd, digitsPattern, separatorAt } from './digit-groups.ts';
import { nothing, type Range } from './range.ts';

/** The confidence that groups of digits are one number. */
type Grouping = 'usual' | 'unusual' | 'none';

/** Numbers of digits before each gap on printed cards: groups of four, or 4, 6 and 5 for American Express. */
const printedGaps = [new Set([4, 8, 12, 16]), new Set([4, 10])];
const shortestWithGaps = 13;

/** Lengths of nearly all cards. Only these are also recognised with gaps that differ from printed ones. */
const commonLengths = new Set([15, 16]);
const smallestUnusualGroup = 4;

/**
 * Classifies the grouping of a possible card number. The usual grouping has gaps only where printed cards have them,
 * and at least two. An unusual one has a single gap, or gaps elsewhere: two or three adjacent numbers look the same.
 *
 * @param sizes digits in each group
 * @param separators the texts between them
 */
function groupingOf(sizes: readonly number[], separators: readonly string[]): Grouping {
  const length = sizes.reduce((sum, size) => sum + size, 0);
  const isCommon = commonLengths.has(length);
  const isDotted = separators.includes('.');
  if (length < shortestWithGaps || looksDecimal(sizes, separators)) return 'none';
  if (!isCommon) return !isDotted && isPrinted(sizes) ? 'usual' : 'none';
  if (printedGaps.some((gaps) => areGapsWithin(gaps, sizes))) return sizes.length > 2 ? 'usual' : 'unusual';
  return sizes.length > 2 && !isDotted && Math.min(...sizes) >= smallestUnusualGroup ? 'unusual' : 'none';
}

/** Whether all gaps are present: groups of four and a rest, or four digits, six and a rest. */
function isPrinted(sizes: readonly number[]): boolean {
  const [first, second] = sizes;
  if (sizes.length > 5) return false;
  return sizes.length === 3 && second === 6 ? first === 4 : sizes.slice(0, 3).every((size) => size === 4);
}

function areGapsWithin(gaps: ReadonlySet<number>, sizes: readonly number[]): boolean {
  let digits = 0;
  return sizes.slice(0, -1).every((size) => {
    digits += size;
    return gaps.has(digits);
  });
}

/**
 * Whether there is an isolated decimal point, as in `4111.1111 1111.1111`. One is allowed in four groups of four, which
 * are unambiguous.
 */
function looksDecimal(sizes: readonly number[], separators: readonly string[]): boolean {
  const isPoint = (index: number) => separators[index] === '.';
  const alone = separators.filter((_, index) => isPoint(index) && !isPoint(index - 1) && !isPoint(index + 1));
  const allowed = sizes.length >= 4 && sizes.every((size) => size === 4) ? 1 : 0;
  return alone.length > allowed;
}

const issuers: readonly Issuer[] = Object.values(creditCardType.types).map((name) => {
  const { lengths, patterns } = creditCardType.getTypeInfo(name);
  const prefixes = patterns.map((pattern) => {
    const [from, to] = typeof pattern === 'number' ? [pattern, pattern] : pattern;
    return [String(from), String(to)] as const;
  });
  return { lengths: new Set(lengths), prefixes };
});

const shortestNumber = 12;
const longestNumber = 19;
const smallestFirstGroup = 3;

/** An escape sequence in a log line or URL, whose last character does not belong to the digits after it. */
const escapeSequence = '(?:%(?:25){0,2}|\\\\x)[0-9a-f]{2}|\\\\(?:[nrt]|u[0-9a-f]{4})|\\[[0-9;]{0,48}m';
/** The start of enough digits for a card number, outside longer words, UUIDs and decimal fractions. */
const firstDigits = new RegExp(
  `(${escapeSequence}|(?<![0-9a-z]|[0-9a-f]{4}-|[0-9]\\.))(?=${digitsPattern(shortestNumber)})`,
  'gi',
);
/** The continuation of a longer word or a UUID. */
const goesOn = /[0-9a-z]|-[0-9a-z]/iy;
/** Characters after the digits of dates, times, decimal numbers and words, but not after whole numbers. */
const notWhole = /[a-z:/]|[.,][0-9]/iy;

/** The group of digits before another one, and the separator between them. */
interface Neighbour {
  readonly separator: string;
  readonly group: Range;
}

/** Finds card numbers, ungrouped or in groups, without adjacent text. */
export function findCards(text: string): readonly Range[] {
  if (text.length < shortestNumber) return nothing;
  const found: Range[] = [];
  let searchedUntil = 0;
  firstDigits.lastIndex = 0;
  for (let match = firstDigits.exec(text); match !== null; match = firstDigits.exec(text)) {
    const before = found.length;
    const start = match.index + match[0].length;
    const end = findInRun(text, start, searchedUntil, found);
    const isFound = found.length > before;
    if (!isFound) searchedUntil = end;
    // `100%4111…` may be a percent sign followed by a number.
    firstDigits.lastIndex = isFound || match[0] === '' ? end : match.index + 1;
  }
  return found;
}

/**
 * Searches consecutive groups of digits, joined by separators. What is found at a group depends only on the groups
 * after it and the one before it. Groups that an earlier search, begun before an escape sequence, has covered without a
 * match need not be searched again, except the first, which may have begun elsewhere, and the second, which had another
 * neighbour. This makes the time linear.
 *
 * @param searchedUntil where the last search without a match ended
 * @returns where the groups end
 */
function findInRun(text: string, start: number, searchedUntil: number, found: Range[]): number {
  let at = start;
  let left: Neighbour | undefined;
  for (;;) {
    if (left !== undefined && left.group.start > start && at < searchedUntil) return searchedUntil;
    const number = isTouched(text, at, left) ? undefined : numberAt(text, at, left);
    if (number !== undefined) found.push(number);
    const end = number?.end ?? digitsEnd(text, at);
    const separator = separatorAt(text, end);
    if (separator === '') return end;
    left = number ? undefined : { separator, group: { start: at, end } };
    at = end + separator.length;
  }
}

/** Whether the digits continue the text before them, as in a decimal fraction or a UUID. */
function isTouched(text: string, at: number, left: Neighbour | undefined): boolean {
  if (left?.separator === '.') return true;
  return left?.separator === '-' && /^[0-9]{4}$/.test(text.slice(at - 5, at - 1));
}

/** The longest card number that begins here. */
function numberAt(text: string, start: number, left: Neighbour | undefined): Range | undefined {
  if (digitsEnd(text, start) - start < smallestFirstGroup) return undefined;
  const { groups, separators } = digitGroupsAt(text, start, longestNumber);
  for (let count = groups.length; count > 0; count--) {
    const parts = groups.slice(0, count);
    const digits = parts.map((group) => text.slice(group.start, group.end)).join('');
    if (digits.length < shortestNumber) return undefined;
    if (digits.length > longestNumber || !isCardNumber(digits)) continue;
    const end = parts.at(-1)?.end ?? start;
    if (!isBound(text, end, separators, count) && canBeOne(text, { groups, separators }, count, left))
      return { start, end };
  }
  return undefined;
}

/** Whether the number continues: with letters, or a further part of an identifier or version. */
function isBound(text: string, end: number, separators: readonly string[], count: number): boolean {
  goesOn.lastIndex = end;
  if (goesOn.test(text)) return true;
  const next = separators[count - 1] ?? '';
  return /^[._]$/.test(next) && separators.slice(0, count - 1).includes(next);
}

/**
 * Whether the first groups can be one number. Adjacent whole numbers with the same separator indicate a list of small
 * numbers: if there are some on both sides, for the usual grouping; on one side, for an unusual one.
 */
function canBeOne(
  text: string,
  { groups, separators }: DigitGroups,
  count: number,
  left: Neighbour | undefined,
): boolean {
  if (count === 1) return true;
  const between = separators.slice(0, count - 1);
  const sizes = groups.slice(0, count).map(({ start, end }) => end - start);
  const grouping = groupingOf(sizes, between);
  if (grouping === 'none') return false;
  const next = groups[count];
  const isLeft = left !== undefined && between.includes(left.separator) && isWhole(text, left.group);
  const isRight = next !== undefined && between.includes(separators[count - 1] ?? '') && isWhole(text, next);
  return grouping === 'usual' ? !(isLeft && isRight) : !(isLeft || isRight);
}

/** Whether a group of digits is a whole number, not part of a date, a time or a decimal number. */
function isWhole(text: string, { start, end }: Range): boolean {
  if (/[:/.,-]/.test(text.charAt(start - 1))) return false;
  notWhole.lastIndex = end;
  return !notWhole.test(text);
}

interface Issuer {
  readonly lengths: ReadonlySet<number>;
  /** Ranges of first digits. */
  readonly prefixes: readonly (readonly [string, string])[];
}

/** Whether digits are a card number: of a known issuer, in a length that the issuer uses, with a valid check digit. */
function isCardNumber(digits: string): boolean {
  return isCheckDigitValid(digits) && isIssued(digits);
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
