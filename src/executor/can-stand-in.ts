import { type ErrorCode, GatewayError } from '../errors.ts';

/** Failures for which the caller is to blame, or about which older rows would say nothing. */
const callersFault: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'BAD_USER_INPUT',
  'UNAUTHENTICATED',
  'FORBIDDEN',
]);

/** Whether older rows may be given in the place of this failure: when the engine couldn't make new ones. */
export function canStandIn(failure: unknown): boolean {
  return failure instanceof GatewayError && !callersFault.has(failure.code);
}
