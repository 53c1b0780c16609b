import { isIPv6 } from 'node:net';
import { type Group, type GroupRun, groupRuns } from './colon-groups.ts';
import { nothing, type Range } from './range.ts';

/** The zone after an address: `%eth0`, in a URL `%25eth0`. Escaped characters, as in `…::1%5D`, are excluded. */
const zone = /%(?:25|(?!2[0-9a-f]|3[a-f]|40|5[b-f]|60|7[b-e]))[0-9a-z](?:[\w.-]{0,30}\w)?/iy;

/** Maximum number of groups of an address, including what may surround it: empty groups, a key before it, a port after it. */
const maxGroups = 12;

/**
 * Finds IPv6 addresses with their zones: what `node:net` accepts, not adjacent to a digit, nor to a letter unless the
 * address is unambiguous. A key or port joined by a colon (`ip:2001:db8::1`) stays.
 */
export function findIpv6(text: string): readonly Range[] {
  if (!text.includes(':') && !text.includes('%') && !text.includes('\\')) return nothing;
  const found: Range[] = [];
  for (const run of groupRuns(text, maxGroups)) {
    const address = addressOf(text, run);
    if (address !== undefined) found.push(address);
  }
  return found;
}

function addressOf(text: string, run: GroupRun): Range | undefined {
  if (run.before === undefined && run.after === undefined) {
    // Nearly every run is settled here; most are times.
    const whole = canBeAddress(run.groups) ? rangeOf(text, run.groups) : undefined;
    if (whole !== undefined) return whole;
  }
  for (const [groups, isTouched] of readings(run)) {
    if (!canBeAddress(groups) || (isTouched && !isBeyondDoubt(groups))) continue;
    for (const part of trimmed(groups)) {
      const range = rangeOf(text, part);
      if (range !== undefined) return range;
    }
  }
  return undefined;
}

/** Yields the ways to read a run whose ends touch letters: with the possible group there, or without it. */
function* readings({ groups, before, after }: GroupRun): Generator<readonly [readonly Group[], boolean]> {
  const starts = before === undefined ? [[]] : [[before], []];
  // Words begin with a letter. Digits first are more likely the end of an address.
  const isWord = after !== undefined && !/^[0-9]/.test(after.text);
  const ends = after === undefined ? [[]] : isWord ? [[], [after]] : [[after], []];
  for (const start of starts) {
    for (const end of ends) yield [[...start, ...groups, ...end], start.length + end.length > 0];
  }
}

/** Times have few groups, and no empty one. */
function canBeAddress(groups: readonly Group[]): boolean {
  if (groups.length < 3 || groups.length > maxGroups) return false;
  return groups.length > 6 || groups.some(({ text }) => text === '');
}

/** Whether it is unambiguous, not code such as `u8::add`. */
function isBeyondDoubt(groups: readonly Group[]): boolean {
  return groups.filter(({ text }) => text !== '').length >= 3;
}

/** Yields the groups without leading and trailing ones that only a colon joins to the address, longest first. */
function* trimmed(groups: readonly Group[]): Generator<readonly Group[]> {
  const [first, second] = groups;
  const [last, last2] = groups.toReversed();
  const most = (one?: Group, two?: Group) => (one?.text === '' && two?.text === '' ? 2 : 1);
  for (let dropped = 0; dropped <= most(first, second) + most(last, last2); dropped++) {
    for (let atEnd = Math.min(dropped, most(last, last2)); atEnd >= 0; atEnd--) {
      const atStart = dropped - atEnd;
      if (atStart <= most(first, second)) yield groups.slice(atStart, groups.length - atEnd);
    }
  }
}

/** Removes leading zeros from an IPv4 part, which the standard forbids but some programs write. */
function standardForm({ text }: Group): string {
  return text.includes('.') ? text.replace(/\b0+(?=[0-9])/g, '') : text;
}

function rangeOf(text: string, groups: readonly Group[]): Range | undefined {
  const [first] = groups;
  const last = groups.at(-1);
  if (first === undefined || last === undefined) return undefined;
  if (!isIPv6(groups.map(standardForm).join(':'))) return undefined;
  zone.lastIndex = last.end;
  const behind = zone.exec(text)?.[0] ?? '';
  const range = { start: first.start, end: last.end + behind.length };
  return behind === '' && isLookalike(text, range, groups) ? undefined : range;
}

/** Whether a text in the form of an IPv6 address is something else. */
function isLookalike(text: string, range: Range, groups: readonly Group[]): boolean {
  if (isLongMac(groups)) return true;
  const before = text[range.start - 1] ?? '';
  const behind = text.slice(range.end, range.end + 2);
  if ((before === '[' && behind[0] === ']') || /^\/[0-9]/.test(behind)) return false;
  return groups.every(({ text: group }) => group === '') ? !isAlone(before, behind[0] ?? '') : isCode(groups);
}

/** A MAC address of 64 bits (EUI-64). No assigned address has eight groups of two digits. */
function isLongMac(groups: readonly Group[]): boolean {
  return groups.length === 8 && groups.every(({ text }) => text.length === 2);
}

/** A `::` alone is an address to listen on. Next to other characters, it is syntax, as in `'x'::"char"`. */
function isAlone(before: string, behind: string): boolean {
  if (/["'`]/.test(before)) return before === behind;
  return /^[\s=,(]?$/.test(before) && /^[\s,;)]?$/.test(behind);
}

/** Names that consist of hexadecimal digits only, as in `a::b` or `DB::add`. */
function isCode(groups: readonly Group[]): boolean {
  const [left, between, right] = groups;
  const isName = (group: Group | undefined) => /^[a-f]{1,3}$/i.test(group?.text ?? '');
  return groups.length === 3 && between?.text === '' && isName(left) && isName(right);
}
