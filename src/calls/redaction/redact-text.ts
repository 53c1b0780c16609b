import type { PiiClass } from '../../definitions/endpoints/pii-class.ts';
import { findCards } from './finders/cards.ts';
import { findEmails } from './finders/emails.ts';
import { findIpv4 } from './finders/ipv4.ts';
import { findIpv6 } from './finders/ipv6.ts';
import { type Finder, nothing, type Range, united, withoutRanges } from './finders/range.ts';
import { findTokens } from './finders/tokens.ts';
import { isJson, jsonStrings, rangesInJson } from './json-strings.ts';

const finders: Readonly<Record<PiiClass, readonly Finder[]>> = {
  ip: [findIpv6, findIpv4],
  email: [findEmails],
  token: [findTokens],
  card: [findCards],
};

/** Replaces the matches of the classes in a text by `REDACTED`, in linear time. */
export type RedactText = (text: string) => string;

/** Returns a redactor for texts. If a text is JSON, it redacts only the string values, as `jsonRedactor` does. */
export function textRedactor(classes: readonly PiiClass[]): RedactText {
  const used = findersOf(classes);
  return (text) => withoutRanges(text, rangesInText(text, used));
}

/** Returns a redactor for JSON texts. Keys, numbers and formatting stay unchanged. */
export function jsonRedactor(classes: readonly PiiClass[]): RedactText {
  const used = findersOf(classes);
  return (text) => (canHoldAny(text, used) ? withoutRanges(text, rangesInStrings(text, used)) : text);
}

function findersOf(classes: readonly PiiClass[]): readonly Finder[] {
  return classes.flatMap((name) => finders[name]);
}

function rangesInText(text: string, used: readonly Finder[]): readonly Range[] {
  const ranges = rangesAnywhere(text, used);
  if (ranges.length === 0 && !mayHideMore(text)) return ranges;
  return isJson(text) ? rangesInStrings(text, used) : ranges;
}

function canHoldAny(text: string, used: readonly Finder[]): boolean {
  return mayHideMore(text) || rangesAnywhere(text, used).length > 0;
}

/**
 * Whether decoded strings of a JSON text may contain matches that the raw text doesn't: in escape sequences, or at a
 * `::` next to the quote of its string.
 */
function mayHideMore(text: string): boolean {
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

/** Searches nested JSON as well. Each level doubles the escape sequences, so that there are few levels. */
function rangesInStrings(text: string, used: readonly Finder[]): readonly Range[] {
  const ranges: Range[] = [];
  for (const string of jsonStrings(text)) {
    const found = rangesInText(string.value, used);
    if (found.length > 0) for (const range of rangesInJson(text, string, found)) ranges.push(range);
  }
  return ranges;
}
