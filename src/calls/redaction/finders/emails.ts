import { nothing, type Range } from './range.ts';

/** `@`, possibly percent-encoded or escaped as in JSON. */
const at = /@|%(?:25){0,2}40|\\{1,4}(?:u00|x)40/gi;
/** The common characters of a local part in RFC 5322, except those that introduce a value in a URL or a key-value pair. */
const localCharacter = /[\p{L}\p{N}\p{M}._%+'-]/u;
/** Labels, of which the last is not a number. RFC 1035 limits the length to 253 characters. */
const domain =
  /(?:[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?\.){1,40}(?:xn--[a-z0-9-]{1,59}|\p{L}[\p{L}\p{M}]{1,62})/iuy;
/** Maximum length of a quoted local part, as in `"Jane Doe"@example.com`. */
const maxQuotedLength = 66;

/** Finds e-mail addresses: a local part, `@`, and a domain of at least two labels. */
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

/** The start of the local part before `@`. Each character is examined for one `@` only. */
function localStart(text: string, end: number, from: number): number {
  if (text[end - 1] === '"') {
    const quote = text.lastIndexOf('"', end - 2);
    return quote >= Math.max(from, end - maxQuotedLength) ? quote : end;
  }
  let start = end;
  while (start > from && localCharacter.test(text.charAt(start - 1))) start--;
  // Excludes an opening quote, and the full stop of a preceding sentence.
  while (start < end && /['.]/.test(text.charAt(start))) start++;
  return start;
}
