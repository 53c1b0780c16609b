import { JsFunction } from '../js/js-function.ts';
import { text } from '../js/js-type.ts';

const digits: Readonly<Record<string, string>> = Object.fromEntries(
  ['BFPV', 'CGJKQSXZ', 'DT', 'L', 'MN', 'R'].flatMap((letters, i) =>
    Array.from(letters, (letter) => [letter, String(i + 1)]),
  ),
);

/**
 * The first letter unchanged, and three digits. Consecutive letters with the same sound count once, even with vowels in
 * between.
 */
export const soundex = new JsFunction('soundex', [text], text, (value) => {
  const [first, ...rest] = value.replace(/[^A-Za-z]/g, '');
  if (first === undefined) return '';
  let code = first;
  let last = digits[first.toUpperCase()];
  for (const letter of rest) {
    const digit = digits[letter.toUpperCase()];
    if (digit === undefined || digit === last) continue;
    code += digit;
    last = digit;
    if (code.length === 4) break;
  }
  return code.padEnd(4, '0');
});
