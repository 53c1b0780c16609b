import { GatewayError } from '../../errors.ts';

/** Does what goes down a tree. Deep trees can outgrow the stack. */
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
