import { Failure } from './failure.ts';
import { JsFunction } from './js-function.ts';
import { bool, int64, listOf, text } from './js-type.ts';

/** Characters of `from` become those at the same places of `to`, or vanish where it is shorter. */
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
 * INSTR with a position, counted from the end when it is negative, and an occurrence: the 1-based position
 * of the match, 0 without one. Matches may overlap.
 */
export const positionOf = new JsFunction(
  'position_of',
  [text, text, int64, int64],
  int64,
  (value, searched, position, occurrence) => {
    if (occurrence <= 0n) throw new Failure('Occurrence must be positive');
    if (position === 0n) throw new Failure('Position must be non-zero');
    const starts = characterStarts(value);
    const length = BigInt(starts.length - 1);
    const forwards = position > 0n;
    // Nothing is found behind a character, not at it, when it is searched for backwards.
    const first = forwards ? position - 1n : length + position + (searched === '' ? 1n : 0n);
    if (first < 0n || first > length) return 0n;
    let left = occurrence;
    const step = forwards ? 1 : -1;
    for (let at = Number(first); at >= 0 && at < starts.length; at += step) {
      if (value.startsWith(searched, starts[at]) && --left === 0n) return BigInt(at + 1);
    }
    return 0n;
  },
);

/** Where each character begins, and the text's end. */
function characterStarts(value: string): readonly number[] {
  const starts: number[] = [];
  let at = 0;
  for (const character of value) {
    starts.push(at);
    at += character.length;
  }
  return [...starts, at];
}

/** ARRAY_TO_STRING: NULL among the texts is left out, or stands as `nullText` where that is `shown`. */
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

/** INITCAP with delimiters of the caller's. */
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

/** The small letter of one character: of `İ` without the dot that stands for itself. */
function small(character: string): string {
  return Array.from(character.toLowerCase())[0] ?? character;
}

/** The capital of a letter that has one of a single character. */
function capital(character: string): string {
  const upper = character.toUpperCase();
  return Array.from(upper).length === 1 ? upper : character;
}
