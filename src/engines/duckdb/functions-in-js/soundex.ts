import { JsFunction } from './js-function.ts';
import { text } from './js-type.ts';

const digits: Readonly<Record<string, string>> = Object.fromEntries(
  ['BFPV', 'CGJKQSXZ', 'DT', 'L', 'MN', 'R'].flatMap((letters, i) =>
    Array.from(letters, (letter) => [letter, String(i + 1)]),
  ),
);

/** The first letter as it is, and three digits. H and W don't keep two letters of one sound apart, vowels do. */
export const soundex = new JsFunction('soundex', [text], text, (value) => {
  const [first, ...rest] = value.replace(/[^A-Za-z]/g, '');
  if (first === undefined) return '';
  let code = first;
  let last = digits[first.toUpperCase()];
  for (const letter of rest.map((character) => character.toUpperCase())) {
    if (letter === 'H' || letter === 'W') continue;
    const digit = digits[letter];
    if (digit !== undefined && digit !== last) code += digit;
    if (code.length === 4) break;
    last = digit;
  }
  return code.padEnd(4, '0');
});
