import { GatewayError } from '../../errors.ts';

/** The error for a construct of GoogleSQL that is understood but not offered. `construct` names it. */
export function unsupported(construct: string): GatewayError {
  return new GatewayError('QUERY_FAILED', `Not supported: ${construct}`);
}
