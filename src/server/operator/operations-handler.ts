import type { Log } from '../../base/log/log.ts';
import { type RouteHandler, routeHandler } from '../http/request/request-context.ts';
import { jsonAnswer } from '../http/response/answer.ts';
import { answerDocument } from '../http/response/answer-document.ts';
import type { Admission } from '../limits/admission.ts';
import type { OperationsDocument } from './operations-document.ts';
import { admitOperator } from './operator.ts';

interface OperationsHandlerOptions {
  readonly admission: Admission;
  readonly describe: () => Promise<OperationsDocument>;
  readonly log: Log;
}

const path = '/api/operations';

/** `GET /api/operations`: how this gateway is doing. */
export function operationsHandler({ admission, describe, log }: OperationsHandlerOptions): RouteHandler {
  return routeHandler([path], (context) => {
    if (context.path !== path) return undefined;
    return answerDocument(context, log, async () => {
      await admitOperator(context, admission);
      return jsonAnswer(200, JSON.stringify(await describe()), { 'Cache-Control': 'no-store' });
    });
  });
}
