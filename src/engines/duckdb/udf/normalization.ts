import { Refusal } from './failure.ts';
import { JsFunction } from './js-function.ts';
import { text } from './js-type.ts';

/** Marks on one character are put in order in a time that grows with the square of their number. No writing has so many. */
const mostMarks = 200;

function normalize(value: string, form: string): string {
  for (const [marks] of value.length > mostMarks ? value.matchAll(/\p{M}+/gu) : []) {
    if (marks.length > mostMarks)
      throw new Refusal('Resources exceeded: NORMALIZE of a character with too many combining marks');
  }
  return value.normalize(form);
}

export const normalized = new JsFunction('normalized', [text, text], text, normalize);

export const normalizedCasefold = new JsFunction(
  'normalized_casefold',
  [text, text],
  text,
  normalizeCasefold,
);

/** Normalized before and after its letters' case is folded, for folding can leave a text in another form. */
export function normalizeCasefold(value: string, form: string): string {
  return normalize(Array.from(normalize(value, form), foldCase).join(''), form);
}

/**
 * Unicode's full case folding of a character, by way of its upper case: that differs for the dotless i, which
 * stays, and for Cherokee, which is folded to capitals.
 */
function foldCase(character: string): string {
  if (character === 'ı') return character;
  if (/\p{Script=Cherokee}/u.test(character)) return character.toUpperCase();
  const folded = character.toLowerCase().toUpperCase();
  return Array.from(folded, (part) => part.toLowerCase()).join('');
}
