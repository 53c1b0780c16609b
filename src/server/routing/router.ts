import { GatewayError } from '../../base/errors/errors.ts';
import { loopWork } from '../../base/loop/loop-work.ts';
import type { Log } from '../../base/terminal/log.ts';
import { authoriseRows, requireUnrestricted } from '../../calls/access/authorise.ts';
import type { Caller } from '../../calls/access/caller/caller.ts';
import { withoutKeys } from '../../calls/access/key/key-text.ts';
import { ClientGone, startDeadline } from '../http/request/deadline.ts';
import type { RequestContext } from '../http/request/request-context.ts';
import { percentDecode } from '../http/request/request-target.ts';
import { type Answer, emptyAnswer, sendAnswer } from '../http/response/answer.ts';
import { preflightHeaders } from '../http/response/cors.ts';
import { disclose, errorAnswer } from '../http/response/error-answer.ts';
import type { Route, RouteCall } from '../http/route.ts';
import type { Admission } from '../limits/admission.ts';
import type { RouteTable } from './route-table.ts';

interface RouterParts {
  readonly table: RouteTable;
  readonly admission: Admission;
  readonly log: Log;
}

const nothingHere = errorAnswer(new GatewayError('NOT_FOUND', 'Not found.'));

/**
 * Returns the function that answers a request by its route: OPTIONS, the key, the method, the path's encoding and the deadline are
 * the same for all of them. Callers without a key learn nothing else.
 */
export function requestRouter({
  table,
  admission,
  log,
}: RouterParts): (context: RequestContext) => Promise<void> {
  return async (context) => {
    const { request, response, path } = context;
    const place = table.at(path);
    const found = place.find(request);
    if (found === undefined) return sendAnswer(context, nothingHere);
    const { route, hasMethod, segment, version } = found;
    if (request.method === 'OPTIONS') {
      const headers = { ...preflightHeaders(), Allow: place.allowedMethods(request) };
      return sendAnswer(context, emptyAnswer(headers));
    }
    const fail = failing(context, route, log);
    using _ = loopWork.begin(`${request.method} ${route.path}`);
    using deadline = startDeadline(response, route.timeoutMs);
    try {
      const call = { context, deadline, fail, maxBodyBytes: route.maxBodyBytes ?? Number.POSITIVE_INFINITY };
      const caller = route.scope === 'public' ? undefined : await admitted(context, route, admission);
      if (!hasMethod) throw methodNotAllowed(place.allowedMethods(request));
      const answer = await answerOf(route, { ...call, segment: decoded(segment), version }, caller);
      if (answer !== undefined) sendAnswer(context, answer);
    } catch (thrown) {
      fail(thrown);
    }
  };
}

async function admitted(
  context: RequestContext,
  { scope, isUnrestricted }: Exclude<Route, { scope: 'public' }>,
  admission: Admission,
): Promise<Caller> {
  const caller = await admission.admit(context, scope === 'any' ? undefined : scope);
  if (isUnrestricted) requireUnrestricted(caller);
  if (scope === 'write') authoriseRows(caller);
  return caller;
}

async function answerOf(
  route: Route,
  call: RouteCall,
  caller: Caller | undefined,
): Promise<Answer | undefined> {
  if (route.scope === 'public') return route.answer?.(call);
  return caller && route.answer?.({ ...call, caller });
}

/** @throws GatewayError BAD_USER_INPUT */
function decoded(segment: string): string {
  const text = percentDecode(segment);
  if (text !== undefined) return text;
  throw new GatewayError('BAD_USER_INPUT', 'The percent-encoding of the path is not valid UTF-8.');
}

/** The error for a request with another method than those of its path: `GET, HEAD`. */
function methodNotAllowed(allowed: string): GatewayError {
  return new GatewayError('METHOD_NOT_ALLOWED', `Use ${allowed} here.`, { allowedMethods: allowed });
}

/** Returns the function that answers the failure of a request. It refers to nothing else, because streams keep it in memory. */
function failing(context: RequestContext, { refusal = errorAnswer }: Route, log: Log) {
  return (thrown: unknown): void => {
    if (thrown instanceof ClientGone) return;
    const { response } = context;
    const error = disclose(thrown, context, log);
    if (!response.headersSent) {
      sendAnswer(context, refusal(error, context));
      return;
    }
    if (response.writableEnded) return;
    if (error === thrown) logCutOff(error, context, log);
    // Otherwise, the client would take the body for complete.
    response.destroy();
  };
}

/** Logs why an answer ended before the end of its body: its client can't be told. The reason quotes no row values. */
function logCutOff(error: GatewayError, { requestId, logFields }: RequestContext, log: Log): void {
  const { code, message, details } = error;
  log.warn('an export failed after its first rows', {
    endpoint: logFields.endpoint ?? '',
    requestId,
    code,
    reason: withoutKeys(details.withoutValues ?? details.kind ?? message),
  });
}
