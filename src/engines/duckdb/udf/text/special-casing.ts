import { JsFunction } from '../js/js-function.ts';
import { text } from '../js/js-type.ts';

/*
 * Letter case by Unicode's SpecialCasing.txt, without the conditions on languages: DuckDB's functions know none of it.
 * Regular expressions for it would be prepared with each call in a query, which took two milliseconds.
 */

/** The code points whose upper case has several characters, as ranges. */
const expandingRanges: readonly (readonly [number, number])[] = [
  [0xdf, 0xdf],
  [0x149, 0x149],
  [0x1f0, 0x1f0],
  [0x390, 0x390],
  [0x3b0, 0x3b0],
  [0x587, 0x587],
  [0x1e96, 0x1e9a],
  [0x1f50, 0x1f50],
  [0x1f52, 0x1f52],
  [0x1f54, 0x1f54],
  [0x1f56, 0x1f56],
  [0x1f80, 0x1faf],
  [0x1fb2, 0x1fb4],
  [0x1fb6, 0x1fb7],
  [0x1fbc, 0x1fbc],
  [0x1fc2, 0x1fc4],
  [0x1fc6, 0x1fc7],
  [0x1fcc, 0x1fcc],
  [0x1fd2, 0x1fd3],
  [0x1fd6, 0x1fd7],
  [0x1fe2, 0x1fe4],
  [0x1fe6, 0x1fe7],
  [0x1ff2, 0x1ff4],
  [0x1ff6, 0x1ff7],
  [0x1ffc, 0x1ffc],
  [0xfb00, 0xfb06],
  [0xfb13, 0xfb17],
];

/** The characters whose upper case has several characters, as a set in a regular expression of DuckDB. */
export const expandingCharacters = expandingRanges
  .map(([first, last]) => `${String.fromCodePoint(first)}-${String.fromCodePoint(last)}`)
  .join('');

/** The characters whose lower case depends on those beside them, or has several characters. */
export const contextualCharacters = 'Σİ';

export const specialUpper = new JsFunction('special_upper', [text], text, (value) => value.toUpperCase());

export const specialLower = new JsFunction('special_lower', [text], text, (value) => value.toLowerCase());
