import { Failure } from '../../../../sql/values/function-errors.ts';
import { JsFunction } from '../js/js-function.ts';
import { bytes, text } from '../js/js-type.ts';

/** RFC 4648's alphabet. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Encodes groups of eight characters. The last one is padded with `=`. */
export const toBase32 = new JsFunction('to_base32', [bytes], text, (value) => {
  let result = '';
  let bits = 0;
  let held = 0;
  for (const byte of value) {
    held = ((held << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) result += alphabet[(held >> (bits - 5)) & 31];
  }
  if (bits > 0) result += alphabet[(held << (5 - bits)) & 31];
  return result.padEnd(Math.ceil(result.length / 8) * 8, '=');
});

/** The number of significant characters in an incomplete group. */
const lastGroups = new Set([0, 2, 4, 5, 7]);

export const fromBase32 = new JsFunction('from_base32', [text], bytes, (value) => {
  const [, digits = ''] = /^([A-Z2-7]*)(=*)$/.exec(value) ?? [];
  if (value.length % 8 !== 0 || value.length - digits.length > 6 || !lastGroups.has(digits.length % 8))
    throw new Failure('Failed to decode invalid base32 string');
  const result: number[] = [];
  let bits = 0;
  let held = 0;
  for (const digit of digits) {
    held = ((held << 5) | alphabet.indexOf(digit)) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      result.push((held >> bits) & 0xff);
    }
  }
  return Uint8Array.from(result);
});
