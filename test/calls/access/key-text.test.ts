import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isKeyText, newKeyText, withoutKeys } from '../../../src/calls/access/key/key-text.ts';

describe('the text of a key', () => {
  test('has the prefix, 32 random digits and a check sum', () => {
    expect(newKeyText()).toMatch(/^egw_[0-9A-Za-z]{38}$/);
    expect(newKeyText((count) => new Uint8Array(count))).toBe(`egw_${'0'.repeat(32)}3o5nZS`);
  });

  test('is another one every time', () => {
    const made = new Set(Array.from({ length: 1000 }, () => newKeyText()));
    expect(made.size).toBe(1000);
  });

  test('uses all digits equally often', () => {
    const counts = new Map<string, number>();
    for (let round = 0; round < 2000; round++) {
      for (const digit of newKeyText().slice(4, 36)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
    }
    // 64,000 digits, 1032 of each expected with a deviation of 32. Without care, the first eight would come 1250 times.
    expect(counts.size).toBe(62);
    for (const count of counts.values()) expect(Math.abs(count - 1032)).toBeLessThan(32 * 6);
  });

  test('is starred in a text that quotes it, which stays as long', () => {
    const stars = `egw_${'*'.repeat(38)}`;
    expect(withoutKeys(`"${newKeyText()}", x=${newKeyText()}ab\n  ^`)).toBe(`"${stars}", x=${stars}ab\n  ^`);
    expect(withoutKeys('egw_short')).toBe('egw_short');
  });

  test('is known by its check sum', () => {
    for (let round = 0; round < 100; round++) expect(isKeyText(newKeyText())).toBe(true);
  });

  test('is distinguished from a mistyped, truncated or extended one', () => {
    const anyDigit = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
    fc.assert(
      fc.property(fc.nat(37), anyDigit, (index, digit) => {
        const key = newKeyText();
        const at = index + 4;
        fc.pre(key[at] !== digit);
        expect(isKeyText(key.slice(0, at) + digit + key.slice(at + 1))).toBe(false);
        expect(isKeyText(key.slice(0, at))).toBe(false);
        expect(isKeyText(key + digit)).toBe(false);
      }),
    );
    const key = newKeyText();
    for (const text of [
      '',
      'egw_',
      ` ${key}`,
      `${key}\n`,
      key.toUpperCase(),
      key.replace('egw', 'ghp'),
      `${key}${key}`,
    ]) {
      expect(isKeyText(text)).toBe(false);
    }
  });
});
