import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../../base/errors/errors.ts';
import type { Clock } from '../../../base/system/clock.ts';
import type { Log } from '../../../base/terminal/log.ts';
import type { KeyFinder } from '../authentication/access.ts';
import type { Caller } from '../caller/caller.ts';
import { isKeyText, keyDigest } from '../key/key-text.ts';
import { callerWith, type StoredKey, stateOf } from '../key/stored-key.ts';
import type { IssuerKey } from '../token/token-claims.ts';

/** The keys of a store, as known to a running process. */
export interface KeySource {
  /**
   * Returns all keys, including expired and revoked ones; undefined until the store has been read. Returns the same
   * list until something changes. Cheap, because every request calls it.
   */
  current(): readonly StoredKey[] | undefined;
  close(): void | Promise<void>;
}

interface KeyCacheOptions {
  readonly source: Pick<KeySource, 'current'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  /** Called when the keys have been read, and when they have changed since. */
  readonly onKeys?: (keys: readonly StoredKey[], before: readonly StoredKey[]) => void;
}

interface Holder {
  readonly key: StoredKey;
  readonly caller: Caller;
}

/** A key by a name or an id, with what tokens of its issuer need to know. */
interface Named extends IssuerKey {
  readonly key: StoredKey;
}

/** The use of an expired key is logged once in this many milliseconds. */
const warnAgainMs = 60_000;

/** Number of cached digests, each of which saves a hash per request. */
const maxDigests = 10_000;

/** Looks up stored keys by their digests, without comparing every key. */
export class KeyCache implements KeyFinder {
  readonly #options: KeyCacheOptions;
  #keys: readonly StoredKey[] = [];
  #holders: ReadonlyMap<string, Holder> = new Map();
  /** By names and ids. Only one of several keys with the same name can be valid. */
  #named: ReadonlyMap<string, readonly Named[]> = new Map();
  /** Digests of keys that were found. */
  readonly #digests = new LRUCache<string, string>({ max: maxDigests });
  readonly #warnAfter = new Map<string, number>();

  constructor(options: KeyCacheOptions) {
    this.#options = options;
  }

  find(text: string): Caller | undefined {
    const holder = this.#holderOf(text);
    if (holder === undefined) return undefined;
    const { key, caller } = holder;
    const now = this.#options.clock.now();
    const state = stateOf(key, now);
    if (state === 'active') return caller;
    this.#warn(key, state, now);
    return undefined;
  }

  isValid(caller: Caller): boolean {
    return caller.id !== undefined && this.named(caller.id)?.caller === caller;
  }

  /** The stored key with this name or id, if one is valid now. */
  named(name: string): IssuerKey | undefined {
    this.#refresh();
    const now = this.#options.clock.now();
    return this.#named.get(name)?.find(({ key }) => stateOf(key, now) === 'active');
  }

  #holderOf(text: string): Holder | undefined {
    const cachedDigest = this.#digests.get(text);
    // The checksum reveals mistyped keys without a lookup.
    if (cachedDigest === undefined && !isKeyText(text)) return undefined;
    this.#refresh();
    const digest = cachedDigest ?? keyDigest(text);
    const holder = this.#holders.get(digest);
    if (holder !== undefined && cachedDigest === undefined) this.#digests.set(text, digest);
    return holder;
  }

  #refresh(): void {
    const keys = this.#options.source.current();
    if (keys === undefined) {
      const message = 'API keys cannot be checked at the moment.';
      throw new GatewayError('BACKEND_UNAVAILABLE', message, { retryAfterSeconds: 1 });
    }
    if (keys === this.#keys) return;
    const before = this.#holders;
    this.#options.onKeys?.(keys, this.#keys);
    this.#keys = keys;
    // A caller remains the same object as long as its key does, and so does its cache partition.
    this.#holders = new Map(
      keys.map((key) => {
        const known = before.get(key.digest);
        const caller = isDeepStrictEqual(known?.key, key) && known ? known.caller : callerWith(key);
        return [key.digest, { key, caller }];
      }),
    );
    this.#named = byNames([...this.#holders.values()]);
    this.#digests.clear();
  }

  #warn({ id, name }: StoredKey, state: string, now: number): void {
    if (now < (this.#warnAfter.get(id) ?? 0)) return;
    this.#warnAfter.set(id, now + warnAgainMs);
    this.#options.log.warn('a key was refused', { key: name, id, state });
  }
}

function byNames(holders: readonly Holder[]): ReadonlyMap<string, readonly Named[]> {
  const named = new Map<string, readonly Named[]>();
  for (const [name, all] of Map.groupBy(holders, ({ key }) => key.name)) {
    // Keys are never removed, and the name is free only when the earlier key is no longer valid.
    const hadPredecessor = all.length > 1;
    const ofName = all.map(({ key, caller }) => ({ key, caller, created: key.created, hadPredecessor }));
    named.set(name, ofName);
    for (const each of ofName) named.set(each.key.id, [{ ...each, hadPredecessor: false }]);
  }
  return named;
}
