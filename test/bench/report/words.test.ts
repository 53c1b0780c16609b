import { describe, expect, it } from 'vitest';
import {
  countText,
  factorText,
  megabytesText,
  msText,
  percentText,
  rangeText,
} from '../../../bench/report/words.ts';

describe('the words of the report', () => {
  it.each([
    [0.4249, '0.42 ms'],
    [1.23, '1.2 ms'],
    [9.94, '9.9 ms'],
    [9.96, '10 ms'],
    [12.3, '12 ms'],
    [1234.5, '1,235 ms'],
  ])('give %d ms two digits, or all whole ones', (milliseconds, text) => {
    expect(msText(milliseconds)).toBe(text);
  });

  it.each([
    [msText, { median: 12, least: 9.96, most: 1234 }, '12 ms (10–1,234)'],
    [percentText, { median: 0.78, least: 0.05, most: 0.79 }, '78 % (5.0–79)'],
    [factorText, { median: 11, least: 0.44, most: 14 }, '11 × (0.44–14)'],
    [megabytesText, { median: 249e6, least: 247e6, most: 251e6 }, '249 MB (247–251)'],
    [countText, { median: 9354, least: 7228, most: 10_712 }, '9,354 (7,228–10,712)'],
  ])('name the unit of a range once: %o', (text, spread, expected) => {
    expect(rangeText(spread, text)).toBe(expected);
  });
});
