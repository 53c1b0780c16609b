import { emptyAnswer, jsonAnswer, sendAnswer } from '../http/answer.ts';
import { preflightHeaders } from '../http/cors.ts';
import { disclose, errorAnswer } from '../http/error-answer.ts';
import { methodNotAllowed } from '../http/method-not-allowed.ts';
import type { RequestContext, RouteHandler } from '../http/request-context.ts';
import type { Admission } from '../limits/admission.ts';
import type { Log } from '../log.ts';
import type { OperationsDocument } from './operations-document.ts';
import { admitOperator } from './operator.ts';

interface OperationsHandlerOptions {
  readonly admission: Admission;
  readonly describe: () => Promise<OperationsDocument>;
  readonly log: Log;
}

const path = '/api/operations';
const methods = 'GET, HEAD, OPTIONS';

/** `GET /api/operations`: how this gateway is doing. */
export function operationsHandler(options: OperationsHandlerOptions): RouteHandler {
  return (context) => (context.path === path ? answer(context, options) : undefined);
}

async function answer(
  context: RequestContext,
  { admission, describe, log }: OperationsHandlerOptions,
): Promise<void> {
  try {
    const { method = '' } = context.request;
    if (method === 'OPTIONS') {
      sendAnswer(context, emptyAnswer({ ...preflightHeaders(), Allow: methods }));
      return;
    }
    await admitOperator(context, admission);
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(methods);
    const body = JSON.stringify(await describe());
    sendAnswer(context, jsonAnswer(200, body, { 'Cache-Control': 'no-store' }));
  } catch (thrown) {
    sendAnswer(context, errorAnswer(disclose(thrown, context, log)));
  }
}
