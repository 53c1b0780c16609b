import { nothing, type Range } from './range.ts';

/** A number from 0 to 255 with at most three digits, where leading zeros are allowed. */
const octet = '(?:25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])';
/**
 * A dot. Callers and proxies percent-encode it, some of them twice, and some JSON writers escape everything but letters
 * and digits.
 */
const dot = '(?:\\.|%(?:25){0,2}2e|\\\\{1,4}(?:u00|x)2e)';
/** An escape sequence that ends in hexadecimal digits, which don't belong to the address after it. */
const escaped = '(?:%(?:25){0,2}|\\\\x)[0-9a-f]{2}|\\\\u[0-9a-f]{4}';

const address = new RegExp(`(${escaped}|(?<![0-9]))${octet}(?:${dot}${octet}){3}(?![0-9])`, 'gi');

/**
 * Finds IPv4 addresses: four numbers without adjacent digits. Letters and underscores may be adjacent,
 * since an escaped line break (`\n10.1.2.3`) would reveal the address otherwise. Text after an address stays,
 * such as the last number of `10.1.2.3.4`.
 */
export function findIpv4(text: string): readonly Range[] {
  if (!text.includes('.') && !text.includes('%') && !text.includes('\\')) return nothing;
  const found: Range[] = [];
  address.lastIndex = 0;
  for (let match = address.exec(text); match !== null; match = address.exec(text)) {
    const [whole, before = ''] = match;
    found.push({ start: match.index + before.length, end: match.index + whole.length });
  }
  return found;
}
