import { Refusal } from './failure.ts';
import { JsFunction } from './js-function.ts';
import { int64, text } from './js-type.ts';

/** The maximum number of cells in the distance table, which takes some tenths of a second. */
const maxCells = 25_000_000;

/** The Levenshtein distance of two texts, in characters. */
export const editDistance = new JsFunction('edit_distance', [text, text], int64, (a, b) => {
  const [left, right] = [Array.from(a), Array.from(b)];
  if (left.length * right.length > maxCells)
    throw new Refusal('Resources exceeded: EDIT_DISTANCE of texts that are too long');
  let row = Array.from({ length: right.length + 1 }, (_, i) => i);
  for (const [i, character] of left.entries()) {
    const next = [i + 1];
    for (const [j, other] of right.entries()) {
      const replaced = (row[j] as number) + (character === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] as number) + 1, (next[j] as number) + 1));
    }
    row = next;
  }
  return BigInt(row.at(-1) as number);
});
