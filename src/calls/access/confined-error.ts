import { GatewayError } from '../../base/errors/errors.ts';
import { type Bounds, isBounded } from './caller/caller.ts';

/** Message without row values, for callers who may not see all rows. */
export function confinedError(thrown: unknown, caller: Bounds): unknown {
  if (!(thrown instanceof GatewayError) || !isBounded(caller)) return thrown;
  const { withoutValues } = thrown.details;
  return withoutValues === undefined ? thrown : new GatewayError(thrown.code, withoutValues, thrown.details);
}
