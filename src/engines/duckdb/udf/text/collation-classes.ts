import { Refusal } from '../../../../sql/values/function-errors.ts';
import { codePoints } from './places-of.ts';

/**
 * The characters in which the gateway searches: Latin, Greek and Cyrillic letters, punctuation and signs of currencies.
 * Others may combine with their neighbours.
 */
const ranges = [
  [0x09, 0x0d],
  [0x20, 0x7e],
  [0xa1, 0x24f],
  [0x370, 0x52f],
  [0x1e00, 0x1eff],
  [0x2010, 0x2027],
  [0x2030, 0x205e],
  [0x20a0, 0x20bf],
] as const;

/** Chinese characters and most pictures, which are equal only to themselves. */
const singles = [
  [0x4e00, 0x9fa5],
  [0x1f300, 0x1f3fa],
  [0x1f400, 0x1f64f],
  [0x1f680, 0x1f6ff],
] as const;

/** The middle dot, which is one unit with an `l` before it. */
const middleDots = [0xb7, 0x387];

/** Whether a character is compared as one unit: not ignored, not a mark, not equal to several others such as `ǆ`. */
function isUnit(point: number): boolean {
  const character = String.fromCodePoint(point);
  if (/[\p{M}\p{Cf}\p{Cn}]/u.test(character) || middleDots.includes(point)) return false;
  const parts = character.normalize('NFKD').replace(/\p{M}/gu, '');
  return Array.from(parts).length === 1;
}

/** For each character, the number of the class of those that are equal to it in the collation `und:ci`. */
function makeClasses(): ReadonlyMap<number, number> {
  const { compare } = new Intl.Collator('und', { sensitivity: 'accent' });
  const points = ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i));
  const sorted = points
    .filter(isUnit)
    .map((point) => [point, String.fromCodePoint(point)] as const)
    .sort(([, a], [, b]) => compare(a, b));
  const found = new Map<number, number>();
  let [number, last] = [0, ''];
  for (const [point, character] of sorted) {
    if (compare(last, character) !== 0) number = point;
    last = character;
    found.set(point, number);
  }
  return found;
}

/** Made at the first search, in some milliseconds. */
let classes: ReadonlyMap<number, number> | undefined;

/** The characters of a text as numbers, which are equal for characters that are equal in the collation `und:ci`. */
export function collatedPoints(text: string): Uint32Array {
  classes ??= makeClasses();
  const known = classes;
  return codePoints(text).map((point) => {
    const found = known.get(point);
    if (found !== undefined) return found;
    if (singles.some(([from, to]) => point >= from && point <= to)) return point;
    const name = point.toString(16).toUpperCase().padStart(4, '0');
    throw new Refusal(`Not supported: a search with a collation in a text with the character U+${name}`);
  });
}
