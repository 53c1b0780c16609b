import type { Log } from '../../base/log/log.ts';
import type { CallableFunction } from '../../sql/analyzer/callable-functions.ts';
import { type RouteHandler, routeHandler } from '../http/request/request-context.ts';
import { answerDocument } from '../http/response/answer-document.ts';
import type { Admission } from '../limits/admission.ts';
import { documentAnswer } from './document-answer.ts';

interface FunctionsOptions {
  readonly admission: Admission;
  readonly log: Log;
  /** The functions that ad-hoc queries can call. */
  readonly functions: () => Promise<readonly CallableFunction[]>;
}

const path = '/api/functions';

/** `GET /api/functions`: the SQL functions that ad-hoc queries can call, for editors that complete their names. */
export function functionsHandler({ admission, log, functions }: FunctionsOptions): RouteHandler {
  return routeHandler([path], (context) => {
    if (context.path !== path) return undefined;
    return answerDocument(context, log, async () => {
      await admission.admit(context, 'query');
      return documentAnswer(context.request, { functions: await functions() });
    });
  });
}
