import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../errors.ts';
import type { Caller } from './caller.ts';
import { keyDigest } from './key/key-digest.ts';
import { presentedKey } from './presented-key.ts';
import type { Scope } from './scope.ts';

/** A key that is let in as long as the process runs. */
interface AccessKey extends Caller {
  readonly secret: string;
}

/** Keys that come and go. */
export interface KeyFinder {
  /**
   * Whose key this is, if it is one that is good at this moment.
   *
   * @throws GatewayError BACKEND_UNAVAILABLE when that can't be told
   */
  find(key: string): Caller | undefined;
}

/** Decides who is calling by the headers of a request. */
export interface Access {
  /**
   * The caller, or undefined when there is no key or it isn't known, has expired or was revoked.
   *
   * @param inQuery a key in the query string, of a handler that heeds such ones
   * @throws GatewayError BACKEND_UNAVAILABLE when that can't be told
   */
  authenticate(headers: IncomingMessage['headersDistinct'], inQuery?: string): Caller | undefined;
}

interface AccessOptions {
  readonly stored?: KeyFinder;
  /** Whether keys in query strings are heeded. */
  readonly allowKeyInQuery?: boolean;
}

/** An access that knows the given keys, and those that are stored. */
export function keyAccess(keys: readonly AccessKey[], options: AccessOptions = {}): Access {
  const { stored, allowKeyInQuery = false } = options;
  const known = new Map(keys.map(({ secret, ...caller }) => [keyDigest(secret), caller]));
  // Never more than there are keys. A wrong key learns nothing from the time that this takes: the engine compares texts
  // only when their hashes, of which nobody outside knows the seed, are the same.
  const letIn = new Map<string, Caller>();
  return {
    authenticate(headers, inQuery) {
      const key = presentedKey(headers) ?? (allowKeyInQuery ? inQuery : undefined);
      if (key === undefined) return undefined;
      const seen = letIn.get(key);
      if (seen !== undefined) return seen;
      const caller = known.get(keyDigest(key));
      if (caller === undefined) return stored?.find(key);
      letIn.set(key, caller);
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
