import { nothing, type Range } from '../range.ts';

/** A number from 0 to 255 with at most three digits; leading zeros are allowed (contract, section g). */
const octet = '(?:25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])';
/** Callers and proxies percent-encode, some of them twice; some that write JSON escape whatever isn't a letter or a digit. */
const dot = '(?:\\.|%(?:25){0,2}2e|\\\\{1,4}(?:u00|x)2e)';
/** An escape sequence that ends in hexadecimal digits, which don't touch the address behind them. */
const escaped = '(?:%(?:25){0,2}|\\\\x)[0-9a-f]{2}|\\\\u[0-9a-f]{4}';

const address = new RegExp(`(${escaped}|(?<![0-9]))${octet}(?:${dot}${octet}){3}(?![0-9])`, 'gi');

/**
 * The IPv4 addresses in a text: four numbers that no further digit touches. Other than with the peer, letters and
 * underscores may: an escaped line break before an address (`\n10.1.2.3`) would show it otherwise. What follows an
 * address stays, so that of `10.1.2.3.4` the last number does.
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
