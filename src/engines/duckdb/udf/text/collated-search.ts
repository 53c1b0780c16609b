import { Failure, Refusal } from '../../../../sql/values/function-errors.ts';
import { JsFunction } from '../js/js-function.ts';
import { bool, int64, listOf, text } from '../js/js-type.ts';
import { codePoints, placesOf } from './places-of.ts';

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
function collatedPoints(text: string): Uint32Array {
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

/** REPLACE's maximum, in bytes. */
const maxOutput = 2 ** 20;
/** Characters to look at in one call. */
const maxWork = 10_000_000;

const [carriageReturn, lineFeed] = [13, 10];

/**
 * Searches in the collation `und:ci`. Places count characters. No match starts between a carriage return and a line
 * feed, and the empty text is nowhere, as in Google's evaluator.
 */
function searchIn(value: string) {
  const points = collatedPoints(value);
  const isStart = (place: number) => points[place] !== lineFeed || points[place - 1] !== carriageReturn;
  return {
    length: points.length,
    /** All matches, including overlapping ones. */
    places: (searched: Uint32Array) =>
      searched.length === 0 ? [] : placesOf(searched, points).filter(isStart),
  };
}

/** The matches that don't overlap, from the first. */
function separate(places: readonly number[], length: number): readonly number[] {
  let end = 0;
  return places.filter((place) => {
    if (place < end) return false;
    end = place + length;
    return true;
  });
}

/** The parts of a text between the matches. */
function partsOf(value: string, searched: string): readonly string[] {
  const characters = Array.from(value);
  const points = collatedPoints(searched);
  const places = separate(searchIn(value).places(points), points.length);
  const starts = [0, ...places.map((place) => place + points.length)];
  return starts.map((start, i) => characters.slice(start, places[i]).join(''));
}

export const collatedPosition = new JsFunction(
  'collated_position',
  [text, text, int64, int64],
  int64,
  (value, searched, position, occurrence) => {
    if (occurrence <= 0n) throw new Failure('Occurrence must be positive');
    if (position === 0n) throw new Failure('Position must be non-zero');
    const { length, places } = searchIn(value);
    const all = places(collatedPoints(searched));
    const forwards = position > 0n;
    const first = forwards ? position - 1n : BigInt(length) + position;
    const found = all.filter((place) => (forwards ? BigInt(place) >= first : BigInt(place) <= first));
    const index = occurrence > BigInt(found.length) ? undefined : Number(occurrence);
    const place = index === undefined ? undefined : forwards ? found[index - 1] : found.at(-index);
    return place === undefined ? 0n : BigInt(place + 1);
  },
);

export const collatedStartsWith = new JsFunction(
  'collated_starts_with',
  [text, text],
  bool,
  (value, searched) => searchIn(value).places(collatedPoints(searched))[0] === 0,
);

export const collatedEndsWith = new JsFunction(
  'collated_ends_with',
  [text, text],
  bool,
  (value, searched) => {
    const points = collatedPoints(searched);
    const { length, places } = searchIn(value);
    return places(points).at(-1) === length - points.length;
  },
);

export const collatedReplace = new JsFunction(
  'collated_replace',
  [text, text, text],
  text,
  (value, searched, by) => {
    if (searched === '') return value;
    const parts = partsOf(value, searched);
    const bytes = Buffer.byteLength(value) + (parts.length - 1) * Buffer.byteLength(by);
    if (bytes > 2 * maxOutput) throw new Failure('Output of REPLACE exceeds max allowed output size of 1MB');
    const written = parts.join(by);
    if (Buffer.byteLength(written) > maxOutput)
      throw new Failure('Output of REPLACE exceeds max allowed output size of 1MB');
    return written;
  },
);

export const collatedSplit = new JsFunction(
  'collated_split',
  [text, text],
  listOf(text),
  (value, delimiter) => {
    if (value === '') return [''];
    if (delimiter !== '') return partsOf(value, delimiter);
    collatedPoints(value);
    return Array.from(value);
  },
);

/** The literal texts between the `%`s of a pattern. Several `%`s that follow each other are as one. */
function chunksOf(pattern: string): readonly string[] {
  const chunks = [''];
  const characters = Array.from(pattern);
  for (let i = 0; i < characters.length; i++) {
    let character = characters[i] as string;
    if (character === '%') {
      if (characters[i + 1] !== '%') chunks.push('');
      continue;
    }
    if (character === '_')
      throw new Failure(
        `LIKE pattern has '_' which is not allowed when its operands have collation: ${pattern}`,
      );
    if (character === '\\') {
      const next = characters[++i];
      if (next === undefined)
        throw new Failure(`LIKE pattern ends with a backslash which is not allowed: ${pattern}`);
      character = next;
    }
    chunks[chunks.length - 1] += character;
  }
  return chunks;
}

export const collatedLike = new JsFunction('collated_like', [text, text], bool, (value, pattern) => {
  const chunks = chunksOf(pattern);
  const { length, places } = searchIn(value);
  if (chunks.length * length > maxWork)
    throw new Refusal('Resources exceeded: what is searched for is too long for a text of this length');
  let end = 0;
  for (const [i, text] of chunks.entries()) {
    const chunk = collatedPoints(text);
    const isFirst = i === 0;
    const isLast = i === chunks.length - 1;
    if (chunk.length === 0) {
      if (isFirst && isLast) return length === 0;
      continue;
    }
    const all = places(chunk).filter((place) => place >= end);
    const found = isLast ? all.at(-1) : all[0];
    if (found === undefined || (isFirst && all[0] !== 0)) return false;
    if (isLast && (found + chunk.length !== length || (isFirst && found !== 0))) return false;
    end = found + chunk.length;
  }
  return true;
});

export const collatedSearches = [
  collatedPosition,
  collatedStartsWith,
  collatedEndsWith,
  collatedReplace,
  collatedSplit,
  collatedLike,
];
