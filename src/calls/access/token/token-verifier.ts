import { errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';
import { GatewayError } from '../../../base/errors/errors.ts';
import type { BudgetedTable, CacheBudget } from '../../../base/memory/cache-budget.ts';
import type { Clock } from '../../../base/system/clock.ts';
import type { Caller } from '../caller/caller.ts';
import { accountOf } from '../caller/caller.ts';
import type { SigningKey, SigningKeys } from './signing-keys.ts';
import type { IssuerKey } from './token-claims.ts';
import { bearerWith, ClaimsMistake, type TokenClaims, tokenClaims } from './token-claims.ts';

/** How tokens are verified. */
export interface JwtSettings {
  /** For HS256. */
  readonly secret: string | undefined;
  readonly issuer: string | undefined;
  readonly audience: string;
  /** The longest lifetime of a token. */
  readonly maxLifetimeSeconds: number;
}

interface TokenVerifierOptions {
  readonly settings: JwtSettings;
  /** For RS256 and ES256. */
  readonly signingKeys?: Pick<SigningKeys, 'verify' | 'has'> | undefined;
  readonly clock: Pick<Clock, 'now'>;
  /** The key under which the issuer makes tokens, while it is valid. */
  readonly issuerKey: () => IssuerKey | undefined;
  /** The memory for verified tokens. */
  readonly memory: CacheBudget;
}

/** Longer tokens are refused before they are read. */
const maxLength = 8_192;
/** Bytes of a verified token besides its text (measured). */
const verifiedBytes = 1_200;
/** How far clocks of issuer and gateway may differ, in seconds. */
const skewSeconds = 30;

/** A verified token, and what its validity depends on. */
interface Verified {
  readonly bearer: Caller;
  /** The key whose restrictions the bearer has: the same object as long as the key is the same. */
  readonly issuer: Caller;
  /** The key of the key set that has signed it; undefined for the secret, which never changes. */
  readonly signingKey: SigningKey | undefined;
  /** In milliseconds since the epoch. */
  readonly expires: number;
}

/**
 * Verifies JSON Web Tokens as RFC 8725 recommends. A token is verified again only if something has changed that its
 * validity depends on.
 */
export class TokenVerifier {
  readonly #options: TokenVerifierOptions;
  readonly #verified: BudgetedTable<Verified>;
  /** Includes tokens that were evicted from the cache. */
  readonly #verdicts = new WeakMap<Caller, Verified>();
  readonly #secret: Uint8Array | undefined;

  constructor(options: TokenVerifierOptions) {
    const { secret } = options.settings;
    this.#options = options;
    this.#verified = options.memory.table();
    this.#secret = secret === undefined ? undefined : new TextEncoder().encode(secret);
  }

  /**
   * The bearer of a token that was verified before and is still valid.
   *
   * @throws GatewayError BACKEND_UNAVAILABLE if the key set has not been read for too long
   */
  find(token: string): Caller | undefined {
    const verified = this.#verified.get(token);
    if (verified === undefined) return undefined;
    if (this.#holds(verified)) return verified.bearer;
    this.#verified.delete(token);
    return undefined;
  }

  /**
   * Whether the token of this bearer is still valid.
   *
   * @throws GatewayError BACKEND_UNAVAILABLE if the key set has not been read for too long
   */
  isValid(bearer: Caller): boolean {
    const verified = this.#verdicts.get(bearer);
    return verified !== undefined && this.#holds(verified);
  }

  #holds({ issuer, signingKey, expires }: Verified): boolean {
    const { clock, issuerKey, signingKeys } = this.#options;
    if (clock.now() >= expires + skewSeconds * 1000 || issuer !== issuerKey()?.caller) return false;
    return signingKey === undefined || signingKeys?.has(signingKey) === true;
  }

  /**
   * Verifies a token, unless it is known.
   *
   * @throws GatewayError UNAUTHENTICATED saying why; BACKEND_UNAVAILABLE if the key set can't be read
   */
  async verify(token: string): Promise<void> {
    if (this.find(token) !== undefined) return;
    if (token.length > maxLength) throw refused(`it is longer than ${maxLength} characters`);
    const { payload, key: signingKey } = await this.#signed(token);
    const claims = tokenClaims.safeParse(payload);
    if (!claims.success) {
      const [issue] = claims.error.issues;
      throw refused(`its claim ${JSON.stringify(issue?.path.join('.') ?? '')} is invalid`);
    }
    this.#requireShort(claims.data);
    const issuer = this.#options.issuerKey();
    if (issuer === undefined) throw refused('the key of its issuer is not valid');
    requireOf(issuer, claims.data);
    const { caller } = issuer;
    const bearer = boundBearer(claims.data, caller);
    const verified = { bearer, issuer: caller, signingKey, expires: claims.data.exp * 1000 };
    this.#verified.set(token, verified, verifiedBytes, accountOf(bearer));
    this.#verdicts.set(bearer, verified);
  }

  async #signed(token: string): Promise<{ payload: JWTPayload; key?: SigningKey }> {
    const { settings, signingKeys, clock } = this.#options;
    const { issuer, audience } = settings;
    const options: JWTVerifyOptions = {
      audience,
      ...(issuer !== undefined && { issuer }),
      requiredClaims: ['exp', 'sub'],
      clockTolerance: skewSeconds,
      currentDate: new Date(clock.now()),
    };
    const isSymmetric = algorithmOf(token) === 'HS256';
    try {
      if (isSymmetric && this.#secret !== undefined) {
        const verified = await jwtVerify(token, this.#secret, { ...options, algorithms: ['HS256'] });
        return { payload: verified.payload };
      }
      if (signingKeys !== undefined) {
        return await signingKeys.verify(token, { ...options, algorithms: ['RS256', 'ES256'] });
      }
    } catch (error) {
      throw explained(error);
    }
    throw refused('its algorithm is not allowed');
  }

  /**
   * Refuses a token that is valid for too long. Without the time of its issue, it is accepted in the last part of its life:
   * verifying it again then gives it no more time.
   *
   * @throws GatewayError UNAUTHENTICATED
   */
  #requireShort({ exp, iat }: TokenClaims): void {
    const { maxLifetimeSeconds } = this.#options.settings;
    const now = this.#options.clock.now() / 1000;
    if (iat !== undefined && iat > now + skewSeconds) throw refused('it was issued in the future');
    const lifetime = iat === undefined ? exp - now - skewSeconds : exp - iat;
    if (lifetime <= maxLifetimeSeconds) return;
    throw refused(`it is valid for more than ${maxLifetimeSeconds} s, the limit in JWT_MAX_LIFETIME_SECONDS`);
  }
}

/**
 * Refuses a token that was issued under an earlier key of the same name.
 *
 * @throws GatewayError UNAUTHENTICATED
 */
function requireOf({ created, hadPredecessor }: IssuerKey, { iat }: TokenClaims): void {
  if (created === undefined) return;
  if (iat === undefined) {
    if (hadPredecessor)
      throw refused('it has no claim "iat", and an earlier key of its issuer had the same name');
    return;
  }
  // Tokens of an earlier key must not pass as those of an issuer whose clock is late.
  const tolerance = hadPredecessor ? 0 : skewSeconds * 1000;
  if (iat * 1000 < created - tolerance)
    throw refused('it was issued before the key of its issuer was created');
}

/** @throws GatewayError UNAUTHENTICATED if the claims and the key leave nothing */
function boundBearer(claims: TokenClaims, issuer: Caller): Caller {
  try {
    return bearerWith(claims, issuer);
  } catch (error) {
    throw error instanceof ClaimsMistake ? refused(error.message, error) : error;
  }
}

/** The algorithm that a token names. It only selects the key that verifies the token. */
function algorithmOf(token: string): unknown {
  try {
    const header: unknown = JSON.parse(Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString());
    return typeof header === 'object' && header !== null && 'alg' in header ? header.alg : undefined;
  } catch {
    return undefined;
  }
}

function refused(why: string, cause?: unknown): GatewayError {
  return new GatewayError('UNAUTHENTICATED', `Unauthorized: the token was refused, because ${why}.`, {
    cause,
  });
}

/** The error to show; a defect stays as it is. */
function explained(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) return refused('it has expired', error);
  if (error instanceof errors.JWTClaimValidationFailed) {
    const claim = JSON.stringify(error.claim);
    return error.reason === 'missing'
      ? refused(`it has no claim ${claim}`, error)
      : refused(`its claim ${claim} is not the expected one`, error);
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return refused('its algorithm is not allowed', error);
  if (error instanceof errors.JWKSNoMatchingKey) return refused('its key is unknown', error);
  if (error instanceof errors.JWSSignatureVerificationFailed) return refused('its signature is wrong', error);
  if (error instanceof errors.JOSENotSupported) return refused('it has an unknown extension', error);
  const isOfToken =
    error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException;
  return isOfToken ? refused('it is malformed', error) : error;
}
