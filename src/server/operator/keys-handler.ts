import { z } from 'zod';
import { GatewayError } from '../../base/errors/errors.ts';
import type { Clock } from '../../base/system/clock.ts';
import type { Log } from '../../base/terminal/log.ts';
import type { Caller } from '../../calls/access/caller/caller.ts';
import { type NameOption, OptionProblems, readKeyOptions } from '../../calls/access/key/key-options.ts';
import type { LastUses } from '../../calls/access/key/last-uses.ts';
import { KeyRefusal, newKey, revokedKey, UnknownKey } from '../../calls/access/key/new-key.ts';
import { readRotation, rotatedKey } from '../../calls/access/key/rotation.ts';
import { shownKey } from '../../calls/access/key/shown-key.ts';
import { type StoredKey, stateOf } from '../../calls/access/key/stored-key.ts';
import { KeyStoreError } from '../../calls/access/store/key-store.ts';
import { keyCreated, keyRevoked, keyRotated } from '../../calls/records/key-changes.ts';
import { withoutUndefined } from '../../definitions/endpoints/without-undefined.ts';
import { readJson } from '../http/read-json.ts';
import { type Answer, jsonAnswer } from '../http/response/answer.ts';
import type { KeyedCall, KeyedHandler } from '../http/route.ts';

/** A key that is in the settings, not in the store. */
export type FixedKey = Pick<Caller, 'name' | 'scopes'>;

/** The stored keys, and the others. */
export interface ManagedKeys {
  readonly fixed: readonly FixedKey[];
  /** @throws KeyStoreError */
  read(): Promise<readonly StoredKey[]>;
  /**
   * Adds or replaces a key. When it returns, every gateway that can reach the store knows the key.
   *
   * @throws KeyStoreError; what the function throws
   */
  put(change: (keys: readonly StoredKey[]) => StoredKey): Promise<StoredKey>;
  /**
   * When they were last used.
   *
   * @throws KeyStoreError
   */
  uses(): Promise<LastUses>;
}

interface KeysHandlerOptions {
  readonly keys: ManagedKeys;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** An empty list would not mean "any". */
const texts = z.array(z.string()).min(1);

/** Zod's records leave out the name `__proto__`, which would lift the restriction. */
const pins = z
  .custom<object>((given) => typeof given === 'object' && given !== null && !Array.isArray(given), {
    error: 'expected an object of texts',
  })
  .transform((given) => Object.entries(given))
  .pipe(z.array(z.tuple([z.string(), z.string()]), 'expected an object of texts').min(1))
  .transform((entries) => entries.map(([parameter, value]) => `${parameter}=${value}`));

/** The options of `keys create` as JSON. Pins are an object, in which each parameter has one value. */
const bodySchema = z.strictObject({
  name: z.string(),
  scopes: texts.optional(),
  endpoints: texts.optional(),
  projects: texts.optional(),
  pins: pins.optional(),
  sources: texts.optional(),
  expires: z.string().optional(),
  redact: z.boolean().optional(),
  rate: z.string().optional(),
  bytesPerDay: z.union([z.string(), z.int().transform(String)]).optional(),
  maxScanBytes: z.union([z.string(), z.int().transform(String)]).optional(),
  class: z.string().optional(),
  allow: texts.optional(),
  whenSpent: z.string().optional(),
});

/** The options of `keys rotate` as JSON. */
const rotationSchema = z.strictObject({ overlap: z.string().optional(), expires: z.string().optional() });

/**
 * `GET /api/keys` lists keys, `POST /api/keys` makes one, `POST /api/keys/<id or name>/rotate` replaces one, and
 * `DELETE /api/keys/<id or name>` revokes one. Only the responses to POST contain a key.
 */
export function keysHandlers(
  options: KeysHandlerOptions,
): Readonly<Record<'list' | 'make' | 'rotate' | 'revoke', KeyedHandler>> {
  const handler =
    (answer: (call: Call) => Promise<Answer>): KeyedHandler =>
    async (call) => {
      try {
        return await answer({ ...options, ...call });
      } catch (thrown) {
        throw forCallers(thrown);
      }
    };
  return { list: handler(listKeys), make: handler(make), rotate: handler(rotate), revoke: handler(revoke) };
}

/** A request of an operator. */
interface Call extends KeysHandlerOptions, KeyedCall {}

async function listKeys({ clock, keys }: Call): Promise<Answer> {
  const now = clock.now();
  const [stored, uses] = await Promise.all([keys.read(), keys.uses()]);
  const fixed = keys.fixed.map(({ name, scopes }) => ({ name, scopes: [...scopes] }));
  return answerJson(200, { keys: stored.map((key) => shownKey(key, now, uses)), fixed });
}

async function make(call: Call): Promise<Answer> {
  const { caller, keys, clock, log } = call;
  requireKeyMaker(caller);
  const { pins: pin, ...given } = await readJson(call, bodySchema);
  const now = clock.now();
  const wanted = readKeyOptions(withoutUndefined({ ...given, pin }), now, memberName);
  requireScopes(wanted, caller);
  const made = newKey(wanted, now);
  const key = await keys.put((all) => {
    requireActive(all, caller, clock.now());
    return made.addTo(all);
  });
  log.info('a key was created', { name: key.name, id: key.id, by: caller.name });
  call.context.logFields.changes = [keyCreated(key)];
  return answerJson(201, { key: made.text, ...shownKey(key, now) });
}

async function rotate(call: Call): Promise<Answer> {
  const { context, caller, segment: named, keys, clock, log } = call;
  requireKeyMaker(caller);
  requireStored(named, keys);
  const given = await readJson(call, rotationSchema, '{}');
  const now = clock.now();
  const made = rotatedKey(readRotation(given, now, memberName), now);
  const key = await keys.put((all) => {
    requireActive(all, caller, clock.now());
    const rotated = made.applyTo(all, named);
    requireScopes(rotated, caller);
    return rotated;
  });
  log.info('a key was rotated', { name: key.name, id: key.id, by: caller.name });
  context.logFields.changes = [keyRotated(key) ?? []].flat();
  return answerJson(200, { key: made.text, ...shownKey(key, now) });
}

async function revoke({ context, caller, segment: named, keys, clock, log }: Call): Promise<Answer> {
  requireKeyMaker(caller);
  requireStored(named, keys);
  const now = clock.now();
  const key = await keys.put((all) => {
    requireActive(all, caller, now);
    const found = revokedKey(all, named, now);
    if (found.id !== caller.id) return found;
    throw new GatewayError('BAD_USER_INPUT', "A key can't revoke itself. Use another one.");
  });
  log.info('a key was revoked', { name: key.name, id: key.id, by: caller.name });
  context.logFields.changes = [keyRevoked(key) ?? []].flat();
  return answerJson(200, shownKey(key, now));
}

/** @throws GatewayError BAD_USER_INPUT for a key of the settings */
function requireStored(named: string, { fixed }: ManagedKeys): void {
  if (!fixed.some(({ name }) => name === named)) return;
  const message = `The key ${JSON.stringify(named)} is in the settings. Change them and start the gateway again.`;
  throw new GatewayError('BAD_USER_INPUT', message);
}

/**
 * Refuses to give a caller a key that may more than its own.
 *
 * @throws GatewayError FORBIDDEN
 */
function requireScopes({ scopes }: Pick<StoredKey, 'scopes'>, caller: Caller): void {
  const beyond = scopes.find((scope) => !caller.scopes.has(scope));
  if (beyond === undefined) return;
  const message = `This key does not have the scope ${beyond}, so it can't create a key with it.`;
  throw new GatewayError('FORBIDDEN', message);
}

/**
 * Refuses a caller whose key was revoked since the request began: its body can take long to arrive.
 *
 * @throws GatewayError UNAUTHENTICATED
 */
function requireActive(all: readonly StoredKey[], { id }: Caller, now: number): void {
  const own = all.find((key) => key.id === id);
  if (id === undefined || (own !== undefined && stateOf(own, now) === 'active')) return;
  throw new GatewayError('UNAUTHENTICATED', 'Unauthorized');
}

/**
 * Refuses callers whose own limits would not bind the keys that they make.
 *
 * @throws GatewayError FORBIDDEN
 */
function requireKeyMaker(caller: Caller): void {
  const { redact, isToken, expires, rate, allowances, maxScanBytes } = caller;
  const limits: readonly (readonly [isLimited: boolean, how: string])[] = [
    [isToken === true, 'is a token'],
    [redact, 'is redacted'],
    [expires !== undefined, 'expires'],
    [rate !== undefined, 'has a rate limit'],
    [allowances !== undefined, 'has an allowance'],
    [maxScanBytes !== undefined, 'has a limit of bytes that a query may read'],
    [caller.class !== undefined, 'has a class'],
  ];
  const limit = limits.find(([isLimited]) => isLimited)?.[1];
  if (limit === undefined) return;
  throw new GatewayError('FORBIDDEN', `This key ${limit}, so it can't manage other keys.`);
}

function memberName(option: Parameters<NameOption>[0]): string {
  return option === 'pin' ? 'pins' : option;
}

/** Keys and their states must not be cached. */
function answerJson(status: number, body: object): Answer {
  return jsonAnswer(status, JSON.stringify(body), { 'Cache-Control': 'no-store' });
}

function forCallers(thrown: unknown): unknown {
  if (thrown instanceof UnknownKey) return new GatewayError('NOT_FOUND', thrown.message);
  if (thrown instanceof OptionProblems || thrown instanceof KeyRefusal)
    return new GatewayError('BAD_USER_INPUT', thrown.message);
  if (thrown instanceof KeyStoreError) {
    return new GatewayError('BACKEND_UNAVAILABLE', 'The key store is not available.', { cause: thrown });
  }
  return thrown;
}
