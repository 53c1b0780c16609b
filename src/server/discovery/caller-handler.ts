import { version } from '../../base/version.ts';
import { type Caller, isBounded } from '../../calls/access/caller/caller.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { jsonAnswer } from '../http/response/answer.ts';
import type { KeyedHandler } from '../http/route.ts';

interface CallerOptions {
  /** Whether queries cost money. */
  readonly isBilled: boolean;
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
  /** Whether queries cost money. */
  readonly billed: boolean;
  /** Of the gateway. */
  readonly version: string;
}

/** `GET /api/caller`: whose key it is, and what it may do. */
export function callerHandler(options: CallerOptions): KeyedHandler {
  return async ({ caller }) => {
    const body = JSON.stringify(describe(caller, options));
    return jsonAnswer(200, body, { 'Cache-Control': 'private, no-store' });
  };
}

function describe(caller: Caller, { config, isBilled }: CallerOptions): CallerDescription {
  const { name, scopes, redact, expires } = caller;
  return {
    ...{ name, scopes: [...scopes], restricted: isBounded(caller), redact },
    expires: expires === undefined ? null : new Date(expires).toISOString(),
    engine: config.engine,
    billed: isBilled,
    version,
  };
}
