import { Refusal } from '../../../../sql/values/function-errors.ts';
import { JsFunction } from '../js/js-function.ts';
import { text } from '../js/js-type.ts';

/** The maximum number of marks on a character: sorting them takes quadratic time. No script uses as many. */
const maxMarks = 200;

function normalize(value: string, form: string): string {
  for (const [marks] of value.length > maxMarks ? value.matchAll(/\p{M}+/gu) : []) {
    if (marks.length > maxMarks)
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

/** Normalizes before and after case folding, which can change the normal form. */
export function normalizeCasefold(value: string, form: string): string {
  return normalize(Array.from(normalize(value, form), foldCase).join(''), form);
}

/**
 * Unicode's full case folding of a character, through its upper case. That differs for the dotless i, which is
 * unchanged, and for Cherokee, which is folded to capitals.
 */
function foldCase(character: string): string {
  if (character === 'ı') return character;
  if (/\p{Script=Cherokee}/u.test(character)) return character.toUpperCase();
  const folded = character.toLowerCase().toUpperCase();
  return Array.from(folded, (part) => part.toLowerCase()).join('');
}
