import { Refusal } from '../../../../sql/values/function-errors.ts';
import { JsFunction } from '../js/js-function.ts';
import { bool, int64 } from '../js/js-type.ts';

/**
 * The length of a searched text, in bytes, for which DuckDB's searches are fast whatever the length of the other text.
 */
export const shortSearched = 1000;
/** The number of comparisons that DuckDB makes in some milliseconds: for a vector of two thousand texts, seconds. */
const maxComparisons = 10_000_000n;

/** Refuses more comparisons than the maximum, and otherwise returns true. */
export const searchWork = new JsFunction('search_work', [int64], bool, (comparisons) => {
  if (comparisons > maxComparisons)
    throw new Refusal('Resources exceeded: what is searched for is too long for a text of this length');
  return true;
});

/**
 * A branch of a CASE, without its result, that is taken unless the query fails: the time of DuckDB's searches is the
 * product of both lengths in the worst case, without interruption.
 *
 * @param text SQL
 * @param searched SQL
 */
export function whenSearchable(text: string, searched: string): string {
  const comparisons = `strlen(${text}) * strlen(${searched})`;
  return `WHEN CASE WHEN strlen(${searched}) <= ${shortSearched} THEN true ELSE ${searchWork.call([comparisons])} END THEN`;
}
