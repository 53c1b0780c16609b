import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../errors.ts';

/** What a key may allow: running endpoints, adding rows to sources, managing the gateway. */
export type Scope = 'query' | 'rows:write' | 'admin';

export const everyScope: ReadonlySet<Scope> = new Set<Scope>(['query', 'rows:write', 'admin']);

/** Who is calling. */
export interface Caller {
  /** The name of the key, for people; never the key itself. */
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
}

/** A key that is let in. */
export interface AccessKey extends Caller {
  readonly secret: string;
}

/** Decides who is calling by the headers of a request. */
export interface Access {
  /** The caller, or undefined when there is no key or it isn't known. */
  authenticate(headers: IncomingMessage['headersDistinct']): Caller | undefined;
}

/** An access that knows the given keys. */
export function keyAccess(keys: readonly AccessKey[]): Access {
  const known = keys.map(({ name, scopes, secret }) => ({
    caller: { name, scopes },
    digest: digest(secret),
  }));
  // Never more than there are keys. A wrong token learns nothing from the time that this takes: the engine compares texts
  // only when their hashes, of which nobody outside knows the seed, are the same.
  const letIn = new Map<string, Caller>();
  return {
    authenticate(headers) {
      const token = presentedToken(headers);
      if (token === undefined) return undefined;
      const seen = letIn.get(token);
      if (seen !== undefined) return seen;
      const presented = digest(token);
      // Every key is compared in full: the time taken says nothing about which is close.
      const matches = known.filter((key) => timingSafeEqual(key.digest, presented));
      const caller = matches[0]?.caller;
      if (caller !== undefined) letIn.set(token, caller);
      return caller;
    },
  };
}

/**
 * Refuses a caller who isn't known, or whose key doesn't allow this.
 *
 * @throws GatewayError UNAUTHENTICATED, FORBIDDEN
 */
export function requireScope(caller: Caller | undefined, scope: Scope): asserts caller is Caller {
  if (caller === undefined) throw new GatewayError('UNAUTHENTICATED', 'Unauthorized');
  if (!caller.scopes.has(scope)) throw new GatewayError('FORBIDDEN', 'This key may not do that.');
}

const bearer = 'Bearer ';

/**
 * The first credential present is the only one tried: `Authorization` with exactly this scheme, then
 * `X-API-KEY`; of a header that is repeated, the first. Source: contract section (b).
 */
function presentedToken(headers: IncomingMessage['headersDistinct']): string | undefined {
  const authorization = headers.authorization?.find((value) => value.startsWith(bearer));
  return authorization?.slice(bearer.length) ?? headers['x-api-key']?.[0];
}

function digest(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
