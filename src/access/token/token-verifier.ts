import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import type { Caller } from '../caller.ts';
import { KeySetUnavailable, keySetFetching } from './fetch-key-set.ts';
import type { JwtSettings } from './read-jwt-settings.ts';
import { bearerWith, ClaimsMistake, type TokenClaims, tokenClaims } from './token-claims.ts';

interface TokenVerifierOptions {
  readonly settings: JwtSettings;
  readonly clock: Pick<Clock, 'now'>;
  /** The key under which the issuer makes tokens, while it is valid: the same object as long as the key is the same. */
  readonly issuerKey: () => Caller | undefined;
}

/** Longer tokens are refused before they are read. */
const maxLength = 8_192;
/** Characters of all verified tokens together: those of about ten thousand usual ones. */
const maxCharacters = 10_000_000;
/** How far clocks of issuer and gateway may differ, in seconds. */
const skewSeconds = 30;

/** A verified token. */
interface Verified {
  readonly bearer: Caller;
  /** The key whose restrictions the bearer has. */
  readonly issuer: Caller;
  /** In milliseconds since the epoch. */
  readonly expires: number;
}

/** Verifies JSON Web Tokens as RFC 8725 asks, each once until it expires. */
export class TokenVerifier {
  readonly #options: TokenVerifierOptions;
  readonly #verified = new LRUCache<string, Verified>({
    maxSize: maxCharacters,
    sizeCalculation: (_, token) => token.length,
  });
  readonly #secret: Uint8Array | undefined;
  readonly #keySet: JWTVerifyGetKey | undefined;

  constructor(options: TokenVerifierOptions) {
    const { secret, keySet } = options.settings;
    this.#options = options;
    this.#secret = secret === undefined ? undefined : new TextEncoder().encode(secret);
    this.#keySet =
      keySet instanceof URL
        ? createRemoteJWKSet(keySet, keySetFetching)
        : keySet && createLocalJWKSet(keySet);
  }

  /** The bearer of a token that was verified before and is still valid. */
  find(token: string): Caller | undefined {
    const verified = this.#verified.get(token);
    if (verified === undefined) return undefined;
    const isValid = this.#options.clock.now() < verified.expires + skewSeconds * 1000;
    if (isValid && verified.issuer === this.#options.issuerKey()) return verified.bearer;
    this.#verified.delete(token);
    return undefined;
  }

  /**
   * Verifies a token, unless it is known.
   *
   * @throws GatewayError UNAUTHENTICATED saying why; BACKEND_UNAVAILABLE if the key set can't be fetched
   */
  async verify(token: string): Promise<void> {
    if (this.find(token) !== undefined) return;
    if (token.length > maxLength) throw refused(`it is longer than ${maxLength} characters`);
    const issuer = this.#options.issuerKey();
    if (issuer === undefined) throw refused('the key of its issuer is not valid');
    const payload = await this.#payload(token);
    const claims = tokenClaims.safeParse(payload);
    if (!claims.success) {
      const [issue] = claims.error.issues;
      throw refused(`its claim ${JSON.stringify(issue?.path.join('.') ?? '')} is invalid`);
    }
    const bearer = boundBearer(claims.data, issuer);
    this.#verified.set(token, { bearer, issuer, expires: claims.data.exp * 1000 });
  }

  async #payload(token: string) {
    const { issuer, audience } = this.#options.settings;
    const options = {
      audience,
      ...(issuer !== undefined && { issuer }),
      requiredClaims: ['exp', 'sub'],
      clockTolerance: skewSeconds,
      currentDate: new Date(this.#options.clock.now()),
    };
    const isSymmetric = algorithmOf(token) === 'HS256';
    try {
      if (isSymmetric && this.#secret !== undefined) {
        return (await jwtVerify(token, this.#secret, { ...options, algorithms: ['HS256'] })).payload;
      }
      if (this.#keySet !== undefined) {
        const algorithms = ['RS256', 'ES256'];
        return await payloadBy(this.#keySet, token, { ...options, algorithms });
      }
    } catch (error) {
      throw explained(error);
    }
    throw refused('its algorithm is not allowed');
  }
}

/** @throws GatewayError UNAUTHENTICATED if the claims and the key leave nothing */
function boundBearer(claims: TokenClaims, issuer: Caller): Caller {
  try {
    return bearerWith(claims, issuer);
  } catch (error) {
    throw error instanceof ClaimsMistake ? refused(error.message, error) : error;
  }
}

/** The payload of a token that one of the keys verifies. Tokens need not name their key. */
async function payloadBy(
  keySet: JWTVerifyGetKey,
  token: string,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keySet, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return (await jwtVerify(token, key, options)).payload;
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

/** The algorithm that a token names, which decides nothing but which key can verify it. */
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

function explained(error: unknown): GatewayError {
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
  const isMalformed =
    error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid || error instanceof TypeError;
  if (isMalformed && !(error instanceof TypeError && error.message === 'fetch failed')) {
    return refused('it is malformed', error);
  }
  if (error instanceof errors.JOSENotSupported) return refused('it has an unknown extension', error);
  const reason = error instanceof KeySetUnavailable ? ` (${error.message})` : '';
  const message = `The keys of the issuer of tokens cannot be fetched at the moment${reason}.`;
  return new GatewayError('BACKEND_UNAVAILABLE', message, { cause: error, retryAfterSeconds: 5 });
}
