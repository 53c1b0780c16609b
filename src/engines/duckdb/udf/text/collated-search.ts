import { Failure, Refusal } from '../../../../sql/values/function-errors.ts';
import { JsFunction } from '../js/js-function.ts';
import { bool, int64, listOf, text } from '../js/js-type.ts';
import { collatedPoints } from './collation-classes.ts';
import { placesOf } from './places-of.ts';

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
