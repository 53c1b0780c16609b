import { GatewayError } from '../../base/errors/errors.ts';
import type { Plan } from '../../sql/plan/plan.ts';

/** Bytes of a plan. The tree of a larger one takes so long to read that other requests would notice. */
const maxBytes = 4_000_000;

/** Whether the tree of a plan may be read in the gateway's own thread. */
export function isReadable(plan: Plan): boolean {
  return plan.packed.length <= maxBytes;
}

/** @throws GatewayError BAD_USER_INPUT for a plan whose tree is too large to be read */
export function requireReadable(plan: Plan): void {
  if (isReadable(plan)) return;
  throw new GatewayError(
    'BAD_USER_INPUT',
    'The query is too large to be tried or compared here. Use the commands check, run and diff.',
  );
}
