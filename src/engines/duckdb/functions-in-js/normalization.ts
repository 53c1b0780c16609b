import { JsFunction } from './js-function.ts';
import { text } from './js-type.ts';

export const normalized = new JsFunction('normalized', [text, text], text, (value, form) =>
  value.normalize(form),
);

export const normalizedCasefold = new JsFunction(
  'normalized_casefold',
  [text, text],
  text,
  normalizeCasefold,
);

/** Normalized before and after its letters' case is folded, for folding can leave a text in another form. */
export function normalizeCasefold(value: string, form: string): string {
  return Array.from(value.normalize(form), foldCase).join('').normalize(form);
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
