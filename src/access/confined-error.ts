import { GatewayError } from '../errors.ts';
import { type Bounds, isBounded } from './caller.ts';

/**
 * What was thrown while a call ran, for a caller whose key is bound to something: without what its message may quote of rows that
 * he may not see.
 */
export function confinedError(thrown: unknown, caller: Bounds): unknown {
  if (!(thrown instanceof GatewayError) || !isBounded(caller)) return thrown;
  const { withoutValues } = thrown.details;
  return withoutValues === undefined ? thrown : new GatewayError(thrown.code, withoutValues, thrown.details);
}
