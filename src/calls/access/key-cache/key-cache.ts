import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../../base/errors/errors.ts';
import type { Clock } from '../../../base/system/clock.ts';
import type { Log } from '../../../base/terminal/log.ts';
import type { KeyFinder } from '../authentication/access.ts';
import type { Caller } from '../caller/caller.ts';
import { isKeyText, keyDigest } from '../key/key-text.ts';
import { type LastUses, shortDigest, toMinute } from '../key/last-uses.ts';
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

/** When a key with some digest was last used here, in milliseconds since the epoch; 0 if never. */
interface Use {
  at: number;
}

/** Who presents a key with some digest: the present one of a stored key, or one from before a rotation. */
interface Holder {
  readonly key: StoredKey;
  /** For an earlier key, the one with the present key's id, name and restrictions, and the end of the overlap. */
  readonly caller: Caller;
  /** When an earlier key ends, in milliseconds since the epoch. */
  readonly end?: number;
  readonly use: Use;
}

/** A key by a name or an id, with what tokens of its issuer need to know. */
interface Named extends IssuerKey {
  readonly key: StoredKey;
  /** Of its present digest. */
  readonly use: Use;
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
  /** The digests of the keys that callers presented. */
  readonly #presented = new WeakMap<Caller, string>();
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
    const { key, caller, use } = holder;
    const now = this.#options.clock.now();
    const state = stateOfHolder(holder, now);
    if (state === 'active') {
      use.at = now;
      return caller;
    }
    this.#warn(key, state, now);
    return undefined;
  }

  isValid(caller: Caller): boolean {
    this.#refresh();
    const holder = this.#holders.get(this.#presented.get(caller) ?? '');
    if (holder === undefined || stateOfHolder(holder, this.#options.clock.now()) !== 'active') return false;
    return holder.caller === caller || allowsSame(holder.caller, caller);
  }

  /** The stored key with this name or id, if one is valid now, for a token of it. That is a use of the key. */
  issuer(name: string): IssuerKey | undefined {
    const found = this.#valid(name);
    if (found !== undefined) found.use.at = this.#options.clock.now();
    return found;
  }

  /** Looks whether the keys have changed, as each request does. */
  look(): void {
    if (this.#options.source.current() !== undefined) this.#refresh();
  }

  /** When keys were last used in this process. */
  uses(): LastUses {
    const used = [...this.#holders].filter(([, { use }]) => use.at > 0);
    const byKey = Map.groupBy(used, ([, { key }]) => key.id);
    return new Map(
      [...byKey].map(([id, all]) => [
        id,
        new Map(all.map(([digest, { use }]) => [shortDigest(digest), toMinute(use.at)])),
      ]),
    );
  }

  #valid(name: string): Named | undefined {
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
    this.#options.onKeys?.(keys, this.#keys);
    this.#keys = keys;
    this.#holders = new Map(keys.flatMap((key) => this.#holdersOf(key)));
    this.#named = this.#byNames(keys);
    this.#digests.clear();
  }

  /** A caller remains the same object as long as its key allows the same, and so does its cache partition. */
  #holdersOf(key: StoredKey): [digest: string, holder: Holder][] {
    const formers = (key.former ?? []).map(({ digest, expires: end }) => ({ digest, end }));
    return [{ digest: key.digest, end: undefined }, ...formers].map(({ digest, end }) => {
      const made = callerWith(end === undefined ? key : { ...key, expires: end });
      const before = this.#holders.get(digest);
      const caller = unchanged(before?.caller, made);
      this.#presented.set(caller, digest);
      return [digest, { key, caller, use: before?.use ?? { at: 0 }, ...(end !== undefined && { end }) }];
    });
  }

  /** Issuers of tokens: a rotation of their keys doesn't change them. */
  #byNames(keys: readonly StoredKey[]): ReadonlyMap<string, readonly Named[]> {
    const before = this.#named;
    const named = new Map<string, readonly Named[]>();
    for (const [name, all] of Map.groupBy(keys, (key) => key.name)) {
      // Keys are never removed, and the name is free only when the earlier key is no longer valid.
      const hadPredecessor = all.length > 1;
      const ofName = all.map((key) => {
        const caller = unchanged(before.get(key.id)?.[0]?.caller, callerWith(key));
        const use = this.#holders.get(key.digest)?.use ?? { at: 0 };
        return { key, caller, use, created: key.created, hadPredecessor };
      });
      named.set(name, ofName);
      for (const each of ofName) named.set(each.key.id, [{ ...each, hadPredecessor: false }]);
    }
    return named;
  }

  #warn({ id, name }: StoredKey, state: string, now: number): void {
    if (now < (this.#warnAfter.get(id) ?? 0)) return;
    this.#warnAfter.set(id, now + warnAgainMs);
    this.#options.log.warn('a key was refused', { key: name, id, state });
  }
}

/** @param now in milliseconds since the epoch */
function stateOfHolder({ key, end }: Holder, now: number): string {
  const state = stateOf(key, now);
  return state === 'active' && end !== undefined && now >= end ? 'replaced' : state;
}

/** The caller as known, if it is equal. */
function unchanged(known: Caller | undefined, made: Caller): Caller {
  return known !== undefined && isDeepStrictEqual(known, made) ? known : made;
}

/** Whether callers differ in nothing but their expiry: a rotation ends only what its overlap ends. */
function allowsSame(caller: Caller, other: Caller): boolean {
  const { expires: _, ...one } = caller;
  const { expires: __, ...another } = other;
  return isDeepStrictEqual(one, another);
}
