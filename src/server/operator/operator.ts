import { GatewayError } from '../../base/errors/errors.ts';
import { requireUnrestricted } from '../../calls/access/authorise.ts';
import type { Caller } from '../../calls/access/caller/caller.ts';
import type { RequestContext } from '../http/request/request-context.ts';
import type { Admission } from '../limits/admission.ts';

/**
 * The caller, who has the scope `admin` and sees all data.
 *
 * @throws GatewayError UNAUTHENTICATED, FORBIDDEN, RATE_LIMITED
 */
export async function admitOperator(context: RequestContext, admission: Admission): Promise<Caller> {
  const caller = await admission.admit(context, 'admin');
  requireUnrestricted(caller);
  return caller;
}

/**
 * Refuses callers whose own limits would not bind the keys that they make.
 *
 * @throws GatewayError FORBIDDEN
 */
export function requireKeyMaker({ redact, isToken, expires, rate, bytesPerDay }: Caller): void {
  const limits: readonly (readonly [isLimited: boolean, how: string])[] = [
    [isToken === true, 'is a token'],
    [redact, 'is redacted'],
    [expires !== undefined, 'expires'],
    [rate !== undefined, 'has a rate limit'],
    [bytesPerDay !== undefined, 'has a limit of bytes'],
  ];
  const limit = limits.find(([isLimited]) => isLimited)?.[1];
  if (limit === undefined) return;
  throw new GatewayError('FORBIDDEN', `This key ${limit}, so that it can't manage other keys.`);
}
