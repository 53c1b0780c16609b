import { GatewayError } from '../../../base/errors/errors.ts';

/**
 * The error for a request with another method than those of its route.
 *
 * @param allowed the methods, as in the header `Allow`: `GET, HEAD`
 */
export function methodNotAllowed(allowed: string): GatewayError {
  return new GatewayError('METHOD_NOT_ALLOWED', `Use ${allowed} here.`, { allowedMethods: allowed });
}
