import { findCards } from './finders/cards.ts';
import { findEmails } from './finders/emails.ts';
import { findIpv4 } from './finders/ipv4.ts';
import { findIpv6 } from './finders/ipv6.ts';
import { findTokens } from './finders/tokens.ts';
import { isJson, jsonStrings, rangesInJson } from './json-strings.ts';
import type { PiiClass } from './pii-class.ts';
import { type Finder, nothing, type Range, united, withoutRanges } from './range.ts';

const finders: Readonly<Record<PiiClass, readonly Finder[]>> = {
  ip: [findIpv6, findIpv4],
  email: [findEmails],
  token: [findTokens],
  card: [findCards],
};

/** Replaces in a text what belongs to the classes by `REDACTED`. Takes time in proportion to the text's length. */
export type RedactText = (text: string) => string;

/** For texts: of one that is JSON, the strings that are values, as `redactJson` does; of every other, the whole. */
export function textRedactor(classes: readonly PiiClass[]): RedactText {
  const used = findersOf(classes);
  return (text) => withoutRanges(text, rangesInText(text, used));
}

/** For JSON texts: keys, numbers, and how the rest is written stay as they are. */
export function jsonRedactor(classes: readonly PiiClass[]): RedactText {
  const used = findersOf(classes);
  return (text) => (canHoldAny(text, used) ? withoutRanges(text, rangesInStrings(text, used)) : text);
}

function findersOf(classes: readonly PiiClass[]): readonly Finder[] {
  return classes.flatMap((name) => finders[name]);
}

function rangesInText(text: string, used: readonly Finder[]): readonly Range[] {
  const ranges = rangesAnywhere(text, used);
  if (ranges.length === 0 && !canHide(text)) return ranges;
  return isJson(text) ? rangesInStrings(text, used) : ranges;
}

function canHoldAny(text: string, used: readonly Finder[]): boolean {
  return canHide(text) || rangesAnywhere(text, used).length > 0;
}

/**
 * Whether a JSON text may have strings in which more is found than in the text as it is: what escape sequences stand for, and a `::`
 * that stands at an end of its string, where the text goes on with the quote.
 */
function canHide(text: string): boolean {
  return text.includes('\\') || text.includes('::');
}

function rangesAnywhere(text: string, used: readonly Finder[]): readonly Range[] {
  let all = nothing;
  for (const find of used) {
    const found = find(text);
    if (found.length > 0) all = all.length > 0 ? [...all, ...found] : found;
  }
  return united(all);
}

/** A string in JSON may hold JSON again; each level doubles the escape sequences, so there are few. */
function rangesInStrings(text: string, used: readonly Finder[]): readonly Range[] {
  const ranges: Range[] = [];
  for (const string of jsonStrings(text)) {
    const found = rangesInText(string.value, used);
    if (found.length > 0) for (const range of rangesInJson(text, string, found)) ranges.push(range);
  }
  return ranges;
}
