import { whenRoom } from '../udf/js/claim.ts';
import { characterBytes } from './list-bytes.ts';
import { Macro } from './macro.ts';

/**
 * The code points whose upper case has several characters (Unicode's SpecialCasing.txt, without conditions), as ranges.
 * DuckDB doesn't change such characters.
 */
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

const expanding = expandingRanges.flatMap(([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)),
);

const set = expanding.join('');
/** Larger sets of characters are halved; smaller ones are compared one by one. */
const compared = 6;

/**
 * The upper case of the character `part`, if it is one of the given sorted ones, as SQL. A MAP would be copied by
 * DuckDB for each character, and comparing with each one took minutes for thousands of texts, without interruption.
 */
function capitalsOf(characters: readonly string[]): string {
  const middle = characters.length >> 1;
  if (characters.length > compared)
    return `CASE WHEN part < '${characters[middle]}' THEN ${capitalsOf(characters.slice(0, middle))}
      ELSE ${capitalsOf(characters.slice(middle))} END`;
  const capitals = characters.map((character) => `WHEN '${character}' THEN '${character.toUpperCase()}'`);
  return `CASE part ${capitals.join(' ')} ELSE upper(part) END`;
}

export const upper = new Macro(
  'upper_case',
  ['s'],
  () => `CASE WHEN strlen(s) = length(s) OR NOT regexp_matches(s, '[${set}]') THEN upper(s)
    ${whenRoom(characterBytes)} array_to_string(list_transform(regexp_extract_all(s, '[${set}]|[^${set}]+'),
      lambda part: ${capitalsOf(expanding)}), '') END`,
);

const cased = '\\p{Lu}\\p{Ll}\\p{Lt}';
const ignorable = `[\\p{Mn}\\p{Me}\\p{Cf}\\p{Lm}\\p{Sk}''.:·’]*`;
const beforeLetter = `regexp_replace(s, 'Σ(${ignorable}[${cased}])', 'σ\\1', 'g')`;

/** Lower-cases a final sigma differently. Applied twice, because matches may overlap. */
const sigmas = `regexp_replace(regexp_replace(${beforeLetter}, 'Σ(${ignorable}[${cased}])', 'σ\\1', 'g'),
  '([${cased}]${ignorable})Σ', '\\1ς', 'g')`;

/**
 * Searching for sigmas takes as long as a list of all characters and can't be interrupted either, so it requires memory
 * for such a list.
 */
export const lower = new Macro(
  'lower_case',
  ['s'],
  () =>
    `CASE WHEN strlen(s) = length(s) OR NOT regexp_matches(s, '[Σİ]') THEN lower(s) ${whenRoom(characterBytes)} lower(replace(${sigmas}, 'İ', 'i\u0307')) END`,
);
