import { Refusal } from '../../../../sql/values/function-errors.ts';
import { JsFunction } from '../js/js-function.ts';
import { int64, text } from '../js/js-type.ts';

/** The maximum number of cells in the distance table, which takes about a tenth of a second. */
const maxCells = 25_000_000;

/** The Levenshtein distance of two texts, in characters. */
export const editDistance = new JsFunction('edit_distance', [text, text], int64, (a, b) => {
  const [left, right] = [codesOf(a), codesOf(b)];
  if (left.length * right.length > maxCells)
    throw new Refusal('Resources exceeded: EDIT_DISTANCE of texts that are too long');
  // The row of the table for the characters of `left` so far.
  const row = Uint32Array.from({ length: right.length + 1 }, (_, i) => i);
  for (let i = 0; i < left.length; i++) {
    let diagonal = i;
    let before = i + 1;
    row[0] = before;
    for (let j = 0; j < right.length; j++) {
      const above = row[j + 1] as number;
      const replaced = diagonal + (left[i] === right[j] ? 0 : 1);
      before = Math.min(replaced, above + 1, before + 1);
      diagonal = above;
      row[j + 1] = before;
    }
  }
  return BigInt(row[right.length] as number);
});

function codesOf(value: string): Uint32Array {
  return Uint32Array.from(Array.from(value, (character) => character.codePointAt(0) ?? 0));
}
