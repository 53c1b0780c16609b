import { isIPv6 } from 'node:net';
import { nothing, type Range } from '../range.ts';
import { type Group, type GroupRun, groupRuns } from './colon-groups.ts';
import { isLookalike } from './ipv6-lookalikes.ts';

/** An interface behind an address: `%eth0`, in a URL `%25eth0`. An escaped character isn't one, as in `…::1%5D`. */
const zone = /%(?:25|(?!2[0-9a-f]|3[a-f]|40|5[b-f]|60|7[b-e]))[0-9a-z](?:[\w.-]{0,30}\w)?/iy;

/** Groups that an address has at most, with what can surround it: empty ones, a key before it, a port behind it. */
const mostGroups = 12;

/**
 * The IPv6 addresses in a text, with their zones: what `node:net` takes for one, and what touches it is neither a
 * digit nor, unless it is beyond doubt, a letter. A key and a port that colons bind to it (`ip:2001:db8::1`) stay.
 */
export function findIpv6(text: string): readonly Range[] {
  if (!text.includes(':') && !text.includes('%') && !text.includes('\\')) return nothing;
  const found: Range[] = [];
  for (const run of groupRuns(text, mostGroups)) {
    const address = addressOf(text, run);
    if (address !== undefined) found.push(address);
  }
  return found;
}

function addressOf(text: string, run: GroupRun): Range | undefined {
  if (run.before === undefined && run.after === undefined) {
    // Nearly every run is settled here, most of them as times.
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

/** The ways to read a run whose ends touch letters: with what could be a group there, or without. */
function* readings({ groups, before, after }: GroupRun): Generator<readonly [readonly Group[], boolean]> {
  const starts = before === undefined ? [[]] : [[before], []];
  // A word begins with a letter: what begins with a digit is rather the end of an address.
  const isWord = after !== undefined && !/^[0-9]/.test(after.text);
  const ends = after === undefined ? [[]] : isWord ? [[], [after]] : [[after], []];
  for (const start of starts) {
    for (const end of ends) yield [[...start, ...groups, ...end], start.length + end.length > 0];
  }
}

/** Times have few groups, and no empty one. */
function canBeAddress(groups: readonly Group[]): boolean {
  if (groups.length < 3 || groups.length > mostGroups) return false;
  return groups.length > 6 || groups.some(({ text }) => text === '');
}

/** Whether it can't be a part of code, as `u8::add`. */
function isBeyondDoubt(groups: readonly Group[]): boolean {
  return groups.filter(({ text }) => text !== '').length >= 3;
}

/** The groups without those at the ends that a colon alone binds to the address: the longest part first. */
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

/** Leading zeros in an IPv4 part are no part of the standard, but of what is written. */
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
