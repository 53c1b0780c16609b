import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What every key begins with, by which scanners for secrets know it. */
export const keyPrefix = 'egw_';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62 to the power of 32 is beyond 2 to the power of 190. */
const secretLength = 32;
/** Six digits have room for the 32 bits of the sum. */
const sumLength = 6;
const within = new RegExp(`${keyPrefix}[0-9A-Za-z]{${secretLength + sumLength}}`);
const everyOne = new RegExp(within, 'g');
const form = new RegExp(`^${within.source}$`);

/** Gives so many random bytes. */
export type RandomBytes = (count: number) => Uint8Array;

/** A new key: the prefix, random digits to the base 62, and a check sum, as GitHub's tokens have it. */
export function newKeyText(random: RandomBytes = randomBytes): string {
  const start = keyPrefix + randomDigits(secretLength, random);
  return start + checkSum(start);
}

/** Whether the text has the form of a key, and its check sum is right: no key that was mistyped or cut is one. */
export function isKeyText(text: string): boolean {
  return form.test(text) && text.endsWith(checkSum(text.slice(0, -sumLength)));
}

/** Whether there is what may be a key in the text, be it mistyped: it isn't to be written down. */
export function holdsKeyText(text: string): boolean {
  return within.test(text);
}

/** The text with stars in the place of what may be keys in it, as many as there were digits: places in it stay as they are. */
export function withoutKeys(text: string): string {
  return text.replace(everyOne, (key) => keyPrefix.padEnd(key.length, '*'));
}

/** Random digits to the base 62, each as likely as every other. */
export function randomDigits(count: number, random: RandomBytes = randomBytes): string {
  let text = '';
  while (text.length < count) {
    // 248 is the highest multiple of 62 that a byte has room for: bytes above it would favour the first digits.
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
