import { GatewayError } from '../errors.ts';
import { type Bounds, isBounded } from './caller.ts';

/**
 * An error of a call, for a caller with a restricted key: without row values in its message, which the caller may not be
 * allowed to see.
 */
export function confinedError(thrown: unknown, caller: Bounds): unknown {
  if (!(thrown instanceof GatewayError) || !isBounded(caller)) return thrown;
  const { withoutValues } = thrown.details;
  return withoutValues === undefined ? thrown : new GatewayError(thrown.code, withoutValues, thrown.details);
}
