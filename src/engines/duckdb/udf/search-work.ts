import { Refusal } from './failure.ts';
import { JsFunction } from './js-function.ts';
import { bool, int64 } from './js-type.ts';

/** Bytes of a searched text with which DuckDB's searches are quick however long the text is. */
export const shortSearched = 1000;
/** What DuckDB compares in some milliseconds: of two thousand texts in one go, in seconds. */
const mostComparisons = 10_000_000n;

/** Refuses so many comparisons, and says yes to fewer. */
export const searchWork = new JsFunction('search_work', [int64], bool, (comparisons) => {
  if (comparisons > mostComparisons)
    throw new Refusal('Resources exceeded: what is searched for is too long for a text of this length');
  return true;
});

/**
 * A branch of a CASE, without its value, that is taken unless the query fails: DuckDB's searches take the product of both lengths in the
 * worst case, and nothing interrupts them.
 *
 * @param text SQL
 * @param searched SQL
 */
export function whenSearchable(text: string, searched: string): string {
  const comparisons = `strlen(${text}) * strlen(${searched})`;
  return `WHEN CASE WHEN strlen(${searched}) <= ${shortSearched} THEN true ELSE ${searchWork.call([comparisons])} END THEN`;
}
