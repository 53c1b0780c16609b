import { nothing, type Range } from '../range.ts';

/** Percent-encoded in the query of a URL, or escaped as in JSON. */
const at = /@|%(?:25){0,2}40|\\{1,4}(?:u00|x)40/gi;
/** What is common of the characters that RFC 5322 allows: not those that begin a value in a URL or a pair. */
const localCharacter = /[\p{L}\p{N}\p{M}._%+'-]/u;
/** Labels, the last of which is no number; RFC 1035 limits the whole to 253 characters. */
const domain =
  /(?:[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?\.){1,40}(?:xn--[a-z0-9-]{1,59}|\p{L}[\p{L}\p{M}]{1,62})/iuy;
/** The part before the sign in quotes: `"Jane Doe"@example.com`. */
const mostQuoted = 66;

/** The e-mail addresses in a text: something, the sign, and a domain of two labels or more. */
export function findEmails(text: string): readonly Range[] {
  if (!text.includes('@') && !text.includes('%') && !text.includes('\\')) return nothing;
  const found: Range[] = [];
  let from = 0;
  for (const sign of text.matchAll(at)) {
    domain.lastIndex = sign.index + sign[0].length;
    const start = domain.test(text) ? localStart(text, sign.index, from) : sign.index;
    from = sign.index + sign[0].length;
    if (start < sign.index) found.push({ start, end: domain.lastIndex });
  }
  return found;
}

/** Where the part before the sign begins; no character is looked at for two signs. */
function localStart(text: string, end: number, from: number): number {
  if (text[end - 1] === '"') {
    const quote = text.lastIndexOf('"', end - 2);
    return quote >= Math.max(from, end - mostQuoted) ? quote : end;
  }
  let start = end;
  while (start > from && localCharacter.test(text.charAt(start - 1))) start--;
  // Quotes around it, and the full stop of a sentence before it, are no part of it.
  while (start < end && /['.]/.test(text.charAt(start))) start++;
  return start;
}
