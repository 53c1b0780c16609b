import type { Log } from '../../base/log/log.ts';
import { version } from '../../base/version.ts';
import { type Caller, isBounded } from '../../calls/access/caller/caller.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { type RouteHandler, routeHandler } from '../http/request/request-context.ts';
import { jsonAnswer } from '../http/response/answer.ts';
import { answerDocument } from '../http/response/answer-document.ts';
import type { Admission } from '../limits/admission.ts';

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
  /** When the key or token stops being valid, in RFC 3339; null if it does not. */
  readonly expires: string | null;
  readonly engine: Config['engine'];
  /** Of the gateway. */
  readonly version: string;
}

const path = '/api/caller';

/** `GET /api/caller`: whose key it is, and what it may do. */
export function callerHandler({ admission, log, config }: CallerOptions): RouteHandler {
  return routeHandler([path], (context) => {
    if (context.path !== path) return undefined;
    return answerDocument(context, log, async () => {
      const body = JSON.stringify(describe(await admission.admit(context), config));
      return jsonAnswer(200, body, { 'Cache-Control': 'private, no-store' });
    });
  });
}

function describe(caller: Caller, { engine }: CallerOptions['config']): CallerDescription {
  const { name, scopes, redact, expires } = caller;
  return {
    ...{ name, scopes: [...scopes], restricted: isBounded(caller), redact },
    expires: expires === undefined ? null : new Date(expires).toISOString(),
    engine,
    version,
  };
}
