import { GatewayError } from '../../base/errors/errors.ts';
import { loopTurns } from '../../base/fairness/loop-turns.ts';
import { type Access, presentedKey, requireScope } from '../../calls/access/authentication/access.ts';
import type { Caller, Scope } from '../../calls/access/caller/caller.ts';
import { accountOf } from '../../calls/access/caller/caller.ts';
import { hasAllowances, spendersOf } from '../../calls/access/caller/spender.ts';
import type { Allowances } from '../../calls/executor/allowances/allowances.ts';
import { hasBody } from '../http/body/read-body.ts';
import { noteCaller } from '../http/request/connection-account.ts';
import { keyInQuery } from '../http/request/query-parameters.ts';
import type { RequestContext } from '../http/request/request-context.ts';
import { clientAddress } from './client-address.ts';
import { takeOfRate } from './request-counter.ts';
import type { RequestLimits } from './request-limits.ts';

/** Authenticates and admits callers. */
export interface Admission {
  /**
   * The caller, whose key has the scope and is within its rate limit, when it is its turn. Sets the caller in the request context,
   * with the means to look at it again.
   *
   * @param scope absent if any key will do
   * @throws GatewayError UNAUTHENTICATED, FORBIDDEN, RATE_LIMITED, BACKEND_UNAVAILABLE
   */
  admit(context: RequestContext, scope?: Scope): Promise<Caller>;
}

export function admission(
  access: Access,
  limits: RequestLimits,
  allowances: Pick<Allowances, 'rateLimits'>,
): Admission {
  async function identify({ request, query }: RequestContext): Promise<Caller | undefined> {
    const { headersDistinct } = request;
    const inQuery = keyInQuery(query);
    const key = presentedKey(headersDistinct) ?? inQuery;
    const { failedKeys, trustedProxies } = limits;
    if (failedKeys === undefined || key === undefined) {
      if (key !== undefined) await access.verify?.(key);
      return access.authenticate(headersDistinct, inQuery);
    }
    const address = clientAddress(request, trustedProxies);
    const secondsLeft = failedKeys.blockedSeconds(address, key);
    if (secondsLeft !== undefined) {
      const message = 'Too many failed authentication attempts from this address.';
      throw new GatewayError('RATE_LIMITED', message, { retryAfterSeconds: secondsLeft });
    }
    await access.verify?.(key)?.catch(async (error: unknown) => {
      const isRefused = error instanceof GatewayError && error.code === 'UNAUTHENTICATED';
      if (isRefused) await failedKeys.failed(address, key);
      throw error;
    });
    const caller = access.authenticate(headersDistinct, inQuery);
    // Awaited, so that the next attempt finds this one counted.
    if (caller === undefined) await failedKeys.failed(address, key);
    else failedKeys.succeeded(address, key);
    return caller;
  }

  return {
    async admit(context, scope) {
      const caller = await identify(context);
      if (caller === undefined) throw new GatewayError('UNAUTHENTICATED', 'Unauthorized');
      context.caller = caller;
      if (hasAllowances(caller)) context.rateLimits = () => allowances.rateLimits(spendersOf(caller));
      context.requireStillValid = () => requireValid(caller, access);
      noteCaller(context.request.socket, caller);
      context.logFields.key = caller.name;
      context.logFields.caller = caller;
      if (scope !== undefined) requireScope(caller, scope);
      await takeOfKey(caller, context, limits);
      // With a body, the turn comes when the body has arrived.
      if (!hasBody(context.request)) await loopTurns.take(accountOf(caller));
      return caller;
    },
  };
}

function requireValid(caller: Caller, access: Access): void {
  if (access.isValid(caller)) return;
  const message = 'Unauthorized: the key or token is no longer valid, or allows something else now.';
  throw new GatewayError('UNAUTHENTICATED', message);
}

/** Counts a request for a key; for a token, for its subject, and then for the key of its issuer. */
async function takeOfKey(caller: Caller, { response }: RequestContext, limits: RequestLimits) {
  const { issuer, isToken } = caller;
  const counts = [
    isToken
      ? { caller, kind: 'token', called: 'The subject of this token' }
      : { caller, kind: 'key', called: 'This key' },
    ...(issuer === undefined
      ? []
      : [{ caller: issuer, kind: 'key', called: "The key of this token's issuer" }]),
  ];
  for (const { caller, ...named } of counts) {
    const { id, name, rate } = caller;
    if (rate === undefined) continue;
    const refused = await takeOfRate({ ...named, subject: id ?? name, rate }, limits.counter, response);
    if (refused !== undefined) throw refused;
  }
}
