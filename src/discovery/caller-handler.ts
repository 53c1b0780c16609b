import { type Caller, isBounded } from '../access/caller.ts';
import type { Config } from '../config.ts';
import { emptyAnswer, jsonAnswer, sendAnswer } from '../http/answer.ts';
import { preflightHeaders } from '../http/cors.ts';
import { disclose, errorAnswer } from '../http/error-answer.ts';
import { methodNotAllowed } from '../http/method-not-allowed.ts';
import type { RequestContext, RouteHandler } from '../http/request-context.ts';
import type { Admission } from '../limits/admission.ts';
import type { Log } from '../log.ts';

interface CallerOptions {
  readonly admission: Admission;
  readonly log: Log;
  readonly config: Pick<Config, 'engine'>;
}

/** The answer of `GET /api/caller`. */
interface CallerDescription {
  readonly name: string;
  readonly scopes: readonly string[];
  /** Whether it may call only some endpoints, or only with some values. */
  readonly restricted: boolean;
  readonly redact: boolean;
  readonly engine: Config['engine'];
}

const path = '/api/caller';
const methods = 'GET, HEAD, OPTIONS';

/** `GET /api/caller`: whose key it is, and what it may do. */
export function callerHandler(options: CallerOptions): RouteHandler {
  return (context) => (context.path === path ? answer(context, options) : undefined);
}

async function answer(context: RequestContext, { admission, log, config }: CallerOptions): Promise<void> {
  try {
    const { method = '' } = context.request;
    if (method === 'OPTIONS') {
      sendAnswer(context, emptyAnswer({ ...preflightHeaders(), Allow: methods }));
      return;
    }
    const caller = await admission.admit(context);
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(methods);
    const body = JSON.stringify(describe(caller, config));
    sendAnswer(context, jsonAnswer(200, body, { 'Cache-Control': 'private, no-store' }));
  } catch (thrown) {
    sendAnswer(context, errorAnswer(disclose(thrown, context, log)));
  }
}

function describe(caller: Caller, { engine }: CallerOptions['config']): CallerDescription {
  const { name, scopes, redact } = caller;
  return { name, scopes: [...scopes], restricted: isBounded(caller), redact, engine };
}
