import { nothing, type Range } from '../range.ts';
import { groupingOf } from './card-grouping.ts';
import { isCardNumber } from './card-number.ts';
import { type DigitGroups, digitGroupsAt, digitsEnd, digitsPattern, separatorAt } from './digit-groups.ts';

const shortestNumber = 12;
const longestNumber = 19;
const smallestFirstGroup = 3;

/** An escape sequence, as a log line or a URL has them, whose last character is no part of the digits behind it. */
const escapeSequence = '(?:%(?:25){0,2}|\\\\x)[0-9a-f]{2}|\\\\(?:[nrt]|u[0-9a-f]{4})|\\[[0-9;]{0,48}m';
/** As many digits as a card number has, which are neither a part of a longer word, of a UUID or of a decimal fraction. */
const firstDigits = new RegExp(
  `(${escapeSequence}|(?<![0-9a-z]|[0-9a-f]{4}-|[0-9]\\.))(?=${digitsPattern(shortestNumber)})`,
  'gi',
);
/** What goes on as a longer word or a UUID does. */
const goesOn = /[0-9a-z]|-[0-9a-z]/iy;
/** What follows the digits of dates, times, decimal numbers and words, not those of whole numbers. */
const notWhole = /[a-z:/]|[.,][0-9]/iy;

/** What stands in front of a group of digits: another one, and a separator. */
interface Neighbour {
  readonly separator: string;
  readonly group: Range;
}

/** Card numbers, alone or in groups. Of what stands beside them, nothing is taken along. */
export function findCards(text: string): readonly Range[] {
  if (text.length < shortestNumber) return nothing;
  const found: Range[] = [];
  let readInVain = 0;
  firstDigits.lastIndex = 0;
  for (let match = firstDigits.exec(text); match !== null; match = firstDigits.exec(text)) {
    const before = found.length;
    const start = match.index + match[0].length;
    const end = findInRun(text, start, readInVain, found);
    const isFound = found.length > before;
    if (!isFound) readInVain = end;
    // `100%4111…` may be a per cent sign and a number.
    firstDigits.lastIndex = isFound || match[0] === '' ? end : match.index + 1;
  }
  return found;
}

/**
 * Looks through groups of digits up to the last that a separator binds to the others. What is found from a group on depends on
 * that and its neighbour alone. So of groups that were read in vain, from an escape sequence before, two are read again: the first,
 * which may have begun elsewhere, and the second, which had a neighbour. All others would be read as before, which makes the time
 * linear.
 *
 * @param readInVain where the groups ended that were last looked through, and nothing was found
 * @returns where they end
 */
function findInRun(text: string, start: number, readInVain: number, found: Range[]): number {
  let at = start;
  let left: Neighbour | undefined;
  for (;;) {
    if (left !== undefined && left.group.start > start && at < readInVain) return readInVain;
    const number = isTouched(text, at, left) ? undefined : numberAt(text, at, left);
    if (number !== undefined) found.push(number);
    const end = number?.end ?? digitsEnd(text, at);
    const separator = separatorAt(text, end);
    if (separator === '') return end;
    left = number ? undefined : { separator, group: { start: at, end } };
    at = end + separator.length;
  }
}

/** Whether the digits go on what is before them, as in a decimal fraction or a UUID. */
function isTouched(text: string, at: number, left: Neighbour | undefined): boolean {
  if (left?.separator === '.') return true;
  return left?.separator === '-' && /^[0-9]{4}$/.test(text.slice(at - 5, at - 1));
}

/** The longest card number of the groups that begin here. */
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

/** Whether what is behind the number belongs to it: letters, a further part of an identifier or of a version. */
function isBound(text: string, end: number, separators: readonly string[], count: number): boolean {
  goesOn.lastIndex = end;
  if (goesOn.test(text)) return true;
  const next = separators[count - 1] ?? '';
  return /^[._]$/.test(next) && separators.slice(0, count - 1).includes(next);
}

/**
 * Whether the first groups can be one number. Whole numbers beside them, behind the same separator as between them, tell
 * of a list of small numbers: on both sides if the groups are as on cards, on one side if they aren't.
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

/** Whether a group of digits is a number of its own, and no part of a date, a time or a decimal number. */
function isWhole(text: string, { start, end }: Range): boolean {
  if (/[:/.,-]/.test(text.charAt(start - 1))) return false;
  notWhole.lastIndex = end;
  return !notWhole.test(text);
}
