import type { Range } from './range.ts';

/** Groups of digits and their separators: `separators[i]` follows `groups[i]`. */
export interface DigitGroups {
  readonly groups: readonly Range[];
  readonly separators: readonly string[];
}

/** A space of any width, a dash of any length, a dot, an underscore, or a plus, which encodes a space in URLs. */
const plain = '[ \\t\\u00a0\\u2000-\\u200b\\u202f\\u2060\\u3000.\\u005f+\\-\\u2010-\\u2015\\u2212]';
/** The same, percent-encoded as UTF-8, possibly several times. */
const percent = '%(?:25){0,2}';
const encoded = `${percent}(?:09|20|2b|2d|2e|5f|c2${percent}a0|e2${percent}80${percent}(?:8[0-9a-b]|9[0-5]|af))`;
/** The same, escaped as in JSON. */
const escaped = '\\\\{1,4}(?:t|(?:u00|x)(?:09|20|2b|2d|2e|5f|a0)|u20(?:0[0-9ab]|1[0-5]|2f))';
/** At most three of them, as in ` - `. */
const between = `(?:${plain}|${encoded}|${escaped}){1,3}`;
const separator = new RegExp(`${between}(?=[0-9])`, 'iy');

/** A pattern of this many digits, with or without separators. */
export function digitsPattern(count: number): string {
  return `[0-9](?:(?:${between})?[0-9]){${count - 1}}`;
}

/** The end of the digits that begin here. */
export function digitsEnd(text: string, from: number): number {
  let end = from;
  for (let code = text.charCodeAt(end); code >= 0x30 && code <= 0x39; code = text.charCodeAt(end)) end++;
  return end;
}

/** The separator at this position, if a digit follows it; otherwise empty. */
export function separatorAt(text: string, at: number): string {
  separator.lastIndex = at;
  return separator.exec(text)?.[0] ?? '';
}

/**
 * The groups that begin here, up to and including the first that exceeds `maxDigits` in total.
 *
 * @param start position of a digit
 */
export function digitGroupsAt(text: string, start: number, maxDigits: number): DigitGroups {
  const groups: Range[] = [];
  const separators: string[] = [];
  let at = start;
  for (let digits = 0; digits <= maxDigits; ) {
    const end = digitsEnd(text, at);
    groups.push({ start: at, end });
    digits += end - at;
    const next = separatorAt(text, end);
    if (next === '') break;
    separators.push(next);
    at = end + next.length;
  }
  return { groups, separators };
}
