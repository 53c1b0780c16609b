import { Failure } from '../../../../sql/values/function-errors.ts';
import { JsFunction } from '../js/js-function.ts';
import { bool, int64, listOf, text } from '../js/js-type.ts';
import { codePoints, placesOf } from './places-of.ts';

/** Replaces characters of `from` by those at the same places of `to`, or removes them if `to` is shorter. */
export const translate = new JsFunction('translate', [text, text, text], text, (value, from, to) => {
  const targets = Array.from(to);
  const mapping = new Map<string, string>();
  for (const [i, character] of Array.from(from).entries()) {
    if (mapping.has(character))
      throw new Failure(`Duplicate character "${character}" in TRANSLATE source characters`);
    mapping.set(character, targets[i] ?? '');
  }
  return Array.from(value, (character) => mapping.get(character) ?? character).join('');
});

/**
 * INSTR with a position, counted from the end if negative, and an occurrence: the 1-based position of the match, 0
 * without one. Matches may overlap.
 */
export const positionOf = new JsFunction(
  'position_of',
  [text, text, int64, int64],
  int64,
  (value, searched, position, occurrence) => {
    if (occurrence <= 0n) throw new Failure('Occurrence must be positive');
    if (position === 0n) throw new Failure('Position must be non-zero');
    const characters = codePoints(value);
    const length = BigInt(characters.length);
    const forwards = position > 0n;
    // A backwards search finds the empty text after a character, not before it.
    const first = forwards ? position - 1n : length + position + (searched === '' ? 1n : 0n);
    if (first < 0n || first > length) return 0n;
    const limit = Number(first);
    const all = placesOf(codePoints(searched), characters);
    const places = all.filter((place) => (forwards ? place >= limit : place <= limit));
    const found = forwards ? places[Number(occurrence) - 1] : places.at(-Number(occurrence));
    return found === undefined ? 0n : BigInt(found + 1);
  },
);

/** ARRAY_TO_STRING: NULL texts are omitted, or replaced by `nullText` if they are `shown`. */
export const joinedTexts = new JsFunction(
  'joined_texts',
  [listOf(text), text, text, bool],
  text,
  (values, delimiter, nullText, shown) => {
    const written = shown
      ? values.map((value) => value ?? nullText)
      : values.filter((value) => value !== null);
    return written.join(delimiter);
  },
);

/** INITCAP with custom delimiters. */
export const initialCapitalsAfter = new JsFunction(
  'initial_capitals_after',
  [text, text],
  text,
  (value, delimiters) => {
    const between = new Set(delimiters);
    let begins = true;
    return Array.from(value, (character) => {
      const written = begins ? capital(character) : small(character);
      begins = between.has(character);
      return begins ? character : written;
    }).join('');
  },
);

/** The lower case of one character. That of `İ` omits the combining dot. */
function small(character: string): string {
  return Array.from(character.toLowerCase())[0] ?? character;
}

/** The upper case of a letter, if it is a single character. */
function capital(character: string): string {
  const upper = character.toUpperCase();
  return Array.from(upper).length === 1 ? upper : character;
}
