import { JsFunction } from './js-function.ts';
import { int64 } from './js-type.ts';

/**
 * Says how many bytes a value is going to have before it is made, and gives that number. Of the values that DuckDB makes in one go,
 * all together are refused when there is no room for them: 2,048 texts of a megabyte would otherwise take gigabytes that nothing
 * counts, for seconds that nothing interrupts.
 */
export const claim = new JsFunction('claim', [int64], int64, (bytes: bigint) => bytes, Number);

/** Bytes that a value may have without a claim: all that are made in one go are few then. */
const freeBytes = 16_384;

/**
 * A branch of a CASE, without its value, that is taken for every value that there is room for. When there is none, the query fails.
 *
 * @param bytes SQL of how many bytes the value is going to have, of type BIGINT
 */
export function whenRoom(bytes: string): string {
  return `WHEN CASE WHEN ${bytes} <= ${freeBytes} THEN true ELSE ${claim.call([bytes])} > 0 END THEN`;
}
