import {
  createLocalJWKSet,
  errors,
  type JWK,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import { GatewayError } from '../../../base/errors/errors.ts';
import type { Clock } from '../../../base/system/clock.ts';
import type { Log } from '../../../base/terminal/log.ts';
import { isUrl, readKeySet } from './read-key-set.ts';

interface SigningKeysOptions {
  /** File or URL of the key set. */
  readonly place: string;
  readonly clock: Pick<Clock, 'elapsed' | 'sleep'>;
  readonly log: Log;
}

/** A key of the set: the same object as long as the set has it unchanged. */
export interface SigningKey {
  /** Finds this key for tokens that it can have signed. */
  readonly forToken: JWTVerifyGetKey;
}

/** From the end of one reading to the next, in milliseconds: with the time limits of both, a change is known within a minute. */
const readAgainMs = 50_000;
/** The least time from one reading to the next, in milliseconds. A failed one is repeated after it. */
const pauseMs = 5_000;
/** Time limit of a reading, in milliseconds. */
const readingMs = 5_000;
/** Maximum age of the last successful reading, in milliseconds. Its keys are not used any longer. */
const maxAgeMs = 600_000;

/**
 * The keys that verify tokens, as their issuer publishes them. They are read again at intervals, and for a token that none of
 * them has signed.
 */
export class SigningKeys {
  readonly #options: SigningKeysOptions;
  readonly #closing = new AbortController();
  /** By their text. */
  #keys: ReadonlyMap<string, SigningKey> = new Map();
  #present: ReadonlySet<SigningKey> = new Set();
  /** When the last successful reading began, by the clock's `elapsed`. */
  #knownAt = Number.NEGATIVE_INFINITY;
  #beganAt = Number.NEGATIVE_INFINITY;
  /** Why the last reading failed. */
  #failure: Error | undefined;
  #unusable = '';
  /** The latest reading that has begun. */
  #reading: Promise<void>;
  /** The reading that begins next, if it was asked for. */
  #next: Promise<void> | undefined;
  readonly #running: Promise<void>;

  private constructor(options: SigningKeysOptions) {
    this.#options = options;
    this.#reading = this.#read();
    this.#running = this.#run();
  }

  /**
   * Begins to read the key set. A URL need not be reachable yet.
   *
   * @throws Error saying what is wrong with a file
   */
  static async open(options: SigningKeysOptions): Promise<SigningKeys> {
    const { place } = options;
    if (isUrl(place)) {
      const { username, password } = new URL(place);
      if (username + password !== '') throw new Error('expected a URL without a user and a password');
      return new SigningKeys(options);
    }
    const { keys } = await readKeySet(place, AbortSignal.timeout(readingMs));
    if (keys.length === 0) throw new Error(`${place}: expected a key for RS256 or ES256`);
    const opened = new SigningKeys(options);
    await opened.#reading;
    return opened;
  }

  /**
   * Whether the set has the key.
   *
   * @throws GatewayError BACKEND_UNAVAILABLE if the set has not been read for too long
   */
  has(key: SigningKey): boolean {
    this.#requireKnown();
    return this.#present.has(key);
  }

  /**
   * Verifies a token. If none of the known keys has signed it, the set is read again before it is refused, because its
   * key can be new.
   *
   * @throws an error of the library; GatewayError BACKEND_UNAVAILABLE if the set can't be read
   */
  async verify(
    token: string,
    options: JWTVerifyOptions,
  ): Promise<{ readonly payload: JWTPayload; readonly key: SigningKey }> {
    if (!this.#isKnown()) await this.#reading;
    this.#requireKnown();
    try {
      return await verifiedByOneOf(this.#present, token, options);
    } catch (error) {
      if (!isOfNoKey(error)) throw error;
      // While reading fails, tokens don't wait for the next attempt.
      if (this.#failure === undefined) await this.#readNext();
      if (this.#failure !== undefined) throw unavailable(this.#failure);
      return await verifiedByOneOf(this.#present, token, options);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  #isKnown(): boolean {
    return this.#options.clock.elapsed() - this.#knownAt <= maxAgeMs;
  }

  #requireKnown(): void {
    if (!this.#isKnown()) throw unavailable(this.#failure);
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    await this.#reading;
    while (!signal.aborted) {
      const waitMs = this.#failure === undefined ? readAgainMs : pauseMs;
      await this.#options.clock.sleep(waitMs, signal).catch(() => {});
      if (!signal.aborted) await this.#readNext();
    }
  }

  /** Waits for a reading that begins from now on. All who wait share it. */
  #readNext(): Promise<void> {
    this.#next ??= this.#after(this.#reading);
    return this.#next;
  }

  async #after(last: Promise<void>): Promise<void> {
    const { clock } = this.#options;
    await last;
    const waitMs = this.#beganAt + pauseMs - clock.elapsed();
    if (waitMs > 0) await clock.sleep(waitMs, this.#closing.signal).catch(() => {});
    this.#next = undefined;
    this.#reading = this.#read();
    await this.#reading;
  }

  /** Never rejects. */
  async #read(): Promise<void> {
    const { place, clock } = this.#options;
    const began = clock.elapsed();
    this.#beganAt = began;
    try {
      const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(readingMs)]);
      const { keys, unusable } = await readKeySet(place, signal);
      this.#use(keys);
      this.#knownAt = began;
      this.#warnUnusable(unusable);
      this.#succeeded();
    } catch (error) {
      this.#failed(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #use(keys: readonly JWK[]): void {
    const before = this.#keys;
    this.#keys = new Map(
      keys.map((jwk) => {
        const text = textOf(jwk);
        return [text, before.get(text) ?? { forToken: createLocalJWKSet({ keys: [jwk] }) }];
      }),
    );
    this.#present = new Set(this.#keys.values());
  }

  #warnUnusable(unusable: readonly string[]): void {
    const reasons = unusable.slice(0, 3).join('; ');
    if (reasons !== '' && reasons !== this.#unusable) {
      this.#options.log.warn('keys of the key set are ignored', { keys: unusable.length, reasons });
    }
    this.#unusable = reasons;
  }

  #succeeded(): void {
    if (this.#failure !== undefined) this.#options.log.warn('the key set of tokens can be read again');
    this.#failure = undefined;
  }

  #failed(failure: Error): void {
    const isNew = this.#failure?.message !== failure.message;
    this.#failure = failure;
    if (!isNew || this.#closing.signal.aborted) return;
    const consequence = `its known keys are used for ${maxAgeMs / 60_000} minutes`;
    this.#options.log.error(`cannot read the key set of tokens; ${consequence}`, { reason: failure.message });
  }
}

/** The same for the same key, in whatever order its members are. */
function textOf(jwk: JWK): string {
  return JSON.stringify(Object.entries(jwk).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Tokens need not name their key. */
async function verifiedByOneOf(keys: Iterable<SigningKey>, token: string, options: JWTVerifyOptions) {
  let failure: unknown = new errors.JWKSNoMatchingKey();
  for (const key of keys) {
    try {
      return { payload: (await jwtVerify(token, key.forToken, options)).payload, key };
    } catch (error) {
      if (!isOfNoKey(error)) throw error;
      if (!(error instanceof errors.JWKSNoMatchingKey)) failure = error;
    }
  }
  throw failure;
}

/** Whether a key has not signed the token. */
function isOfNoKey(error: unknown): boolean {
  return error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed;
}

function unavailable(cause: Error | undefined): GatewayError {
  const message = 'The keys of the issuer of tokens cannot be fetched at the moment.';
  return new GatewayError('BACKEND_UNAVAILABLE', message, { cause, retryAfterSeconds: 5 });
}
