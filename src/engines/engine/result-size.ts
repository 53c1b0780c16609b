import { GatewayError } from '../../base/errors/errors.ts';
import { counted } from '../../base/text/counted.ts';

/**
 * The maximum size of a response in bytes, for every route handler. Values can be megabytes long: without a limit, a
 * few callers could use up the process's memory, and writing their responses would block the event loop.
 */
export const maxAnswerBytes = 100_000_000;

/**
 * The maximum number of values in a row, including those in its arrays and records: processing more at once takes too
 * long.
 */
export const maxRowValues = 250_000;

/** The error for a response larger than `maxAnswerBytes`. */
export function answerTooLarge(): GatewayError {
  const limit = counted(maxAnswerBytes, 'byte');
  return new GatewayError('QUERY_FAILED', `The answer is larger than ${limit}. Ask for less.`);
}

/** The error for a row with more than `maxRowValues` values. */
export function rowTooLarge(): GatewayError {
  const limit = maxRowValues.toLocaleString('en');
  return new GatewayError('QUERY_FAILED', `A row has more than ${limit} values. Ask for less.`);
}
