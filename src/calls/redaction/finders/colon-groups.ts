import type { Range } from './range.ts';

/** Text between colons: at most four hexadecimal digits, or an IPv4 address at the end. */
export interface Group extends Range {
  readonly text: string;
}

/** Consecutive groups, separated by colons. */
export interface GroupRun {
  /** The groups. Longer runs are cut after `maxGroups` + 1. */
  readonly groups: readonly Group[];
  /** The last digits of the word before the first colon, if a letter before them excludes it as a group. */
  readonly before?: Group;
  /** The first digits of the word after the last colon, if a letter after them excludes it as a group. */
  readonly after?: Group;
}

/** A colon, possibly percent-encoded (even twice) or escaped as in JSON. */
const colon = /:|%(?:25){0,2}3a|\\{1,4}(?:u00|x)3a/gi;
const colonHere = new RegExp(colon.source, 'iy');
/** Digits and dots. `node:net` checks later whether they are an address. */
const dotted = /[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?![0-9])/y;

/** An escape sequence in a log line or URL that ends in a possible digit of a group. */
const escaped = /%(?:25){0,2}[0-9a-f]{2}|\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|[a-z])/iy;
const longestGroup = 4;
/** Fits `[38;2;255;255;255;48;2;255;255;255m` with a few attributes more. */
const longestColour = 50;
/** Enough for a group after such an escape sequence, plus one to detect longer words. */
const maxDigits = 10;

/** Yields the runs of groups in a text from left to right, except those with fewer than two colons. */
export function* groupRuns(text: string, maxGroups: number): Generator<GroupRun> {
  let from = 0;
  for (;;) {
    colon.lastIndex = from;
    const first = colon.exec(text);
    if (first === null) return;
    let groups: Group[] = [];
    let before: Group | undefined;
    let at = first.index;
    let item: Group | undefined = wordBefore(text, at, from);
    while (item !== undefined) {
      if (!isGroup(item)) {
        const after = leadingDigits(item);
        if (groups.length > 1) yield { groups, ...(before && { before }), ...(after && { after }) };
        groups = [];
        before = trailingDigits(item);
      } else if (groups.length <= maxGroups) groups.push(item);
      at = item.end;
      item = item.text.includes('.') ? undefined : wordBehindColon(text, at);
    }
    if (groups.length > 1) yield before === undefined ? { groups } : { groups, before };
    from = at;
  }
}

/** The word or IPv4 address after the colon at this position; undefined without a colon. */
function wordBehindColon(text: string, at: number): Group | undefined {
  const start = matchEnd(colonHere, text, at);
  if (start === undefined) return undefined;
  let end = start;
  while (isWordCharacter(text.charCodeAt(end))) end++;
  if (text[end] === '.' && end > start) end = matchEnd(dotted, text, start) ?? end;
  return { start, end, text: text.slice(start, end) };
}

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** The relevant part of the word before a colon: a group, or what excludes it as one. */
function wordBefore(text: string, end: number, from: number): Group {
  let start = end;
  while (start > from && end - start <= maxDigits && isHexDigit(text.charCodeAt(start - 1))) start--;
  const escapeEnd = endOfEscape(text, start);
  // `\fe80::1` is ambiguous: it may begin with a form feed or after a backslash.
  const isDoubtful = escapeEnd === start + 1 && end - start <= longestGroup;
  if (escapeEnd > start && !isDoubtful) start = Math.min(end, escapeEnd);
  else if (start > from && isOtherLetter(text.charCodeAt(start - 1)) && text[start - 2] !== '\\') {
    if (!isEndOfColour(text, start)) start--;
  }
  return { start, end, text: text.slice(start, end) };
}

/** Whether a terminal's colour sequence ends here, such as `ESC[31m`, however its first character is written. */
function isEndOfColour(text: string, end: number): boolean {
  if (text[end - 1] !== 'm') return false;
  let at = end - 2;
  while (end - at < longestColour && /[0-9;]/.test(text.charAt(at))) at--;
  return text[at] === '[';
}

/** The end of the escape sequence whose last digits begin at `start`, or `start` if there is none. */
function endOfEscape(text: string, start: number): number {
  const before = text.charAt(start - 1);
  if (before === '%' || before === '\\') return matchEnd(escaped, text, start - 1) ?? start;
  if (text[start - 2] === '\\') return matchEnd(escaped, text, start - 2) ?? start;
  return start;
}

function isWordCharacter(code: number): boolean {
  return isHexDigit(code) || isOtherLetter(code);
}

function isHexDigit(code: number): boolean {
  const lower = code | 0x20;
  return (code >= 0x30 && code <= 0x39) || (lower >= 0x61 && lower <= 0x66);
}

function isOtherLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x67 && lower <= 0x7a;
}

function isGroup({ text }: Group): boolean {
  return text.length <= longestGroup ? /^[0-9a-f]*$/i.test(text) : text.includes('.');
}

function leadingDigits({ start, text }: Group): Group | undefined {
  const digits = /^[0-9a-f]{1,4}(?=[g-z])/i.exec(text)?.[0];
  return digits === undefined ? undefined : { start, end: start + digits.length, text: digits };
}

/** Exactly four, at least one of them decimal: ordinary words end in letters or in a number, such as `src:` and `IPv6:`. */
function trailingDigits({ end, text }: Group): Group | undefined {
  const digits = /(?<=[g-z])(?=[a-f]*[0-9])[0-9a-f]{4}$/i.exec(text)?.[0];
  return digits === undefined ? undefined : { start: end - digits.length, end, text: digits };
}
