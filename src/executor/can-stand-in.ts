import { type ErrorCode, GatewayError } from '../errors.ts';

/**
 * Failures for which the caller is to blame, or about which older rows would say nothing; and limits on cost, which were set
 * for a query not to run: older rows would hide that from those who are to act on it, and come as if of an outage.
 */
const toBeTold: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'BAD_USER_INPUT',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'COST_LIMIT_EXCEEDED',
]);

/** Whether older rows may be given in the place of this failure: when the engine couldn't make new ones. */
export function canStandIn(failure: unknown): boolean {
  return failure instanceof GatewayError && !toBeTold.has(failure.code);
}
