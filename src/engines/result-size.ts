import { GatewayError } from '../errors.ts';
import { counted } from '../text/counted.ts';

/**
 * Bytes of an answer, on every handler. Rows can hold megabytes each: without a bound, a few callers could take all of the
 * process's memory, and writing their answers would keep everybody else waiting.
 */
export const maxAnswerBytes = 100_000_000;

/** Values in a row, those in its arrays and records included: going through more of them at once takes too long. */
export const maxRowValues = 250_000;

/** The refusal of an answer that would be larger than `maxAnswerBytes`. */
export function answerTooLarge(): GatewayError {
  const limit = counted(maxAnswerBytes, 'byte');
  return new GatewayError('QUERY_FAILED', `The answer is larger than ${limit}. Ask for less.`);
}

/** The refusal of a row with more than `maxRowValues` values. */
export function rowTooLarge(): GatewayError {
  const limit = maxRowValues.toLocaleString('en');
  return new GatewayError('QUERY_FAILED', `A row has more than ${limit} values. Ask for less.`);
}
