import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The prefix of every key, by which secret scanners recognise it. */
export const keyPrefix = 'egw_';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62 to the power of 32 exceeds 2 to the power of 190. */
const secretLength = 32;
/** Six digits can hold the 32 bits of the checksum. */
const sumLength = 6;
const within = new RegExp(`${keyPrefix}[0-9A-Za-z]{${secretLength + sumLength}}`);
const everyOne = new RegExp(within, 'g');
const form = new RegExp(`^${within.source}$`);

/** Returns this many random bytes. */
export type RandomBytes = (count: number) => Uint8Array;

/** A new key: the prefix, random digits in base 62, and a checksum, in the style of GitHub's tokens. */
export function newKeyText(random: RandomBytes = randomBytes): string {
  const start = keyPrefix + randomDigits(secretLength, random);
  return start + checkSum(start);
}

/** Whether the text has the form of a key with a correct checksum. Mistyped and truncated keys don't. */
export function isKeyText(text: string): boolean {
  return form.test(text) && text.endsWith(checkSum(text.slice(0, -sumLength)));
}

/** Whether the text contains a possible key, even a mistyped one: such a text must not be stored. */
export function holdsKeyText(text: string): boolean {
  return within.test(text);
}

/** The text with its possible keys replaced by as many stars, so that positions in it stay the same. */
export function withoutKeys(text: string): string {
  return text.replace(everyOne, (key) => keyPrefix.padEnd(key.length, '*'));
}

/** Random digits in base 62, all equally likely. */
export function randomDigits(count: number, random: RandomBytes = randomBytes): string {
  let text = '';
  while (text.length < count) {
    // 248 is the highest multiple of 62 in a byte. Higher values would favour the first digits.
    for (const byte of random(count)) if (byte < 248 && text.length < count) text += digits[byte % 62];
  }
  return text;
}

function checkSum(text: string): string {
  let rest = crc32(text);
  let sum = '';
  for (let place = 0; place < sumLength; place++) {
    sum = digits.charAt(rest % 62) + sum;
    rest = Math.floor(rest / 62);
  }
  return sum;
}

/**
 * The digest of a key, which stands for it in stores. A slow hash would gain nothing, because nobody can guess 190 random
 * bits, and would slow down every request.
 */
export function keyDigest(key: string): string {
  return hash('sha256', key, 'base64url');
}
