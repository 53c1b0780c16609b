import { GatewayError } from '../../../base/errors/errors.ts';

/** Runs code that recurses into a tree. Converts stack overflows on deep trees to errors. */
export async function withinStack<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof RangeError ? queryTooLarge() : error;
  }
}

export function queryTooLarge(): GatewayError {
  return new GatewayError('QUERY_FAILED', 'The query is too large for the engine');
}
