import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../../../base/errors/errors.ts';
import type { Caller, Scope } from '../caller/caller.ts';
import { keyDigest } from '../key/key-text.ts';
import type { TokenVerifier } from '../token/token-verifier.ts';

/** Keys that can be added and revoked. */
export interface KeyFinder {
  /**
   * Returns the caller with this key, if the key is valid now.
   *
   * @throws GatewayError BACKEND_UNAVAILABLE if the keys are not available
   */
  find(key: string): Caller | undefined;
  /**
   * Whether a caller that was found is valid now, and its key allows the same as then.
   *
   * @throws GatewayError BACKEND_UNAVAILABLE if the keys are not available
   */
  isValid(caller: Caller): boolean;
}

/** Authenticates callers by the headers of a request. */
export interface Access {
  /**
   * Returns the caller; undefined if there is no key, or it is unknown, expired or revoked.
   *
   * @param inQuery a key in the query string, for routes that accept one
   * @throws GatewayError BACKEND_UNAVAILABLE if the keys, or those that verify tokens, are not available
   */
  authenticate(headers: IncomingMessage['headersDistinct'], inQuery?: string): Caller | undefined;
  /**
   * Whether a caller that was authenticated is still valid: its key or token is neither expired nor revoked, and allows
   * the same as then.
   *
   * @throws GatewayError BACKEND_UNAVAILABLE as `authenticate`
   */
  isValid(caller: Caller): boolean;
  /**
   * Verifies a token, so that `authenticate` knows its bearer. Does nothing for other credentials.
   *
   * @throws GatewayError UNAUTHENTICATED saying why the token is refused, BACKEND_UNAVAILABLE
   */
  verify?(credential: string): Promise<void> | undefined;
}

/** A key that is valid while the process runs. */
interface AccessKey extends Caller {
  readonly secret: string;
}

interface AccessOptions {
  readonly stored?: KeyFinder;
  /** If omitted, tokens are refused like unknown keys. */
  readonly tokens?: Pick<TokenVerifier, 'find' | 'verify' | 'isValid'>;
  /** Whether keys in query strings are accepted. */
  readonly allowKeyInQuery?: boolean;
}

/** Creates the authentication with the given keys and the stored ones. */
export function keyAccess(keys: readonly AccessKey[], options: AccessOptions = {}): Access {
  const { stored, tokens, allowKeyInQuery = false } = options;
  const known = new Map(keys.map(({ secret, ...caller }) => [keyDigest(secret), caller]));
  const fixed = new Set<Caller>(known.values());
  // Bounded by the number of keys. The time of a lookup reveals nothing about keys: V8 compares texts only if their hashes
  // are the same, and nobody outside knows the seed of the hashes.
  const callersByKey = new Map<string, Caller>();
  return {
    verify(credential) {
      // A configured key can look like a token.
      const isOther = tokens === undefined || !isToken(credential) || known.has(keyDigest(credential));
      return isOther ? undefined : tokens.verify(credential);
    },
    authenticate(headers, inQuery) {
      const key = presentedKey(headers) ?? (allowKeyInQuery ? inQuery : undefined);
      if (key === undefined) return undefined;
      const seen = callersByKey.get(key);
      if (seen !== undefined) return seen;
      const bearer = tokens?.find(key);
      if (bearer !== undefined) return bearer;
      const caller = known.get(keyDigest(key));
      if (caller === undefined) return stored?.find(key);
      callersByKey.set(key, caller);
      return caller;
    },
    isValid(caller) {
      if (fixed.has(caller)) return true;
      return (caller.isToken ? tokens : stored)?.isValid(caller) === true;
    },
  };
}

/**
 * Refuses an unknown caller, or one whose key lacks the scope.
 *
 * @throws GatewayError UNAUTHENTICATED, FORBIDDEN
 */
export function requireScope(caller: Caller | undefined, scope: Scope): asserts caller is Caller {
  if (caller === undefined) throw new GatewayError('UNAUTHENTICATED', 'Unauthorized');
  if (!caller.scopes.has(scope))
    throw new GatewayError(
      'FORBIDDEN',
      `This key does not have permission to do that: it lacks the scope ${JSON.stringify(scope)}.`,
    );
}

const bearer = 'Bearer ';

/**
 * The key in a request's headers. Only the first credential is tried: `Authorization` with exactly this scheme, then
 * `X-API-KEY`; for a repeated header, its first value.
 */
export function presentedKey(headers: IncomingMessage['headersDistinct']): string | undefined {
  const authorization = headers.authorization?.find((value) => value.startsWith(bearer));
  return authorization?.slice(bearer.length) ?? headers['x-api-key']?.[0];
}

/**
 * Returns the caller, if its key certainly allows any number of queries. Uses `headers`, because `headersDistinct`
 * would cost too much. If there are several `Authorization` headers, Node's `headers` contain only the first.
 * Therefore, another scheme returns undefined, and so does a key with a rate limit, or a token of such a key.
 */
export function queryingCaller(request: IncomingMessage, access: Access): Caller | undefined {
  const caller = callerByHeaders(request, access);
  if (caller === undefined || caller.rate !== undefined || caller.issuer?.rate !== undefined)
    return undefined;
  return caller.scopes.has('query') ? caller : undefined;
}

/** Returns the caller by the joined headers. */
export function callerByHeaders({ headers }: IncomingMessage, access: Access): Caller | undefined {
  const { authorization, 'x-api-key': key } = headers;
  try {
    if (authorization !== undefined) {
      return authorization.startsWith('Bearer ')
        ? access.authenticate({ authorization: [authorization] })
        : undefined;
    }
    return typeof key === 'string' ? access.authenticate({ 'x-api-key': [key] }) : undefined;
  } catch {
    // The regular authentication meets the same failure and reports it.
    return undefined;
  }
}

/** Whether a credential has the form of a JSON Web Token. Keys have no dots. */
export function isToken(text: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text);
}
