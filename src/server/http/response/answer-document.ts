import type { Log } from '../../../base/log/log.ts';
import type { RequestContext } from '../request/request-context.ts';
import { type Answer, emptyAnswer, sendAnswer } from './answer.ts';
import { preflightHeaders } from './cors.ts';
import { disclose, errorAnswer } from './error-answer.ts';
import { methodNotAllowed } from './method-not-allowed.ts';

const methods = 'GET, HEAD, OPTIONS';

/**
 * Answers GET, HEAD and OPTIONS of a document that can only be read.
 *
 * @param make makes the answer, and refuses callers who may not have it before anything else is said
 */
export async function answerDocument(
  context: RequestContext,
  log: Log,
  make: (context: RequestContext) => Promise<Answer>,
): Promise<void> {
  try {
    sendAnswer(context, await answerTo(context, make));
  } catch (thrown) {
    sendAnswer(context, errorAnswer(disclose(thrown, context, log)));
  }
}

async function answerTo(
  context: RequestContext,
  make: (context: RequestContext) => Promise<Answer>,
): Promise<Answer> {
  const { method } = context.request;
  if (method === 'OPTIONS') return emptyAnswer({ ...preflightHeaders(), Allow: methods });
  const answer = await make(context);
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(methods);
  return answer;
}
