import { systemClock } from '../../base/clock/clock.ts';
import type { Log } from '../../base/log/log.ts';
import type { CacheBudget } from '../../base/memory/cache-budget.ts';
import { everyScope } from '../../calls/access/caller/scope.ts';
import type { KeyCache } from '../../calls/access/key-cache/key-cache.ts';
import type { SigningKeys } from '../../calls/access/token/signing-keys.ts';
import type { TokenVerifier } from '../../calls/access/token/token-verifier.ts';
import { type Config, ConfigError } from '../../definitions/settings/config.ts';

/** The settings of tokens. */
export type TokenSettings = Pick<
  Config,
  'jwtSecret' | 'jwtJwks' | 'jwtIssuer' | 'jwtAudience' | 'jwtKey' | 'jwtMaxLifetimeSeconds'
>;

/** The issuer of tokens without a stored key. */
const unrestricted = { caller: { name: 'JWT', scopes: everyScope, redact: false } };

/** What verifies tokens. */
interface OpenTokens {
  readonly tokens: TokenVerifier;
  /** Stops reading the key set. */
  close(): Promise<void>;
}

/**
 * The verifier of tokens, if they are configured.
 *
 * @param memory for verified tokens
 * @throws ConfigError if the key set can't be read
 */
export async function openTokens(
  settings: TokenSettings,
  stored: KeyCache,
  memory: CacheBudget,
  log: Log,
): Promise<OpenTokens | undefined> {
  const { jwtSecret: secret, jwtJwks, jwtIssuer: issuer, jwtAudience: audience, jwtKey } = settings;
  if (secret === undefined && jwtJwks === undefined) return undefined;
  const signingKeys = jwtJwks === undefined ? undefined : await openSigningKeys(jwtJwks, log);
  // Loaded only if it is used: it takes 20 ms of a start.
  const { TokenVerifier } = await import('../../calls/access/token/token-verifier.ts');
  const tokens = new TokenVerifier({
    settings: { secret, issuer, audience, maxLifetimeSeconds: settings.jwtMaxLifetimeSeconds },
    signingKeys,
    clock: systemClock,
    memory,
    issuerKey: jwtKey === undefined ? () => unrestricted : () => stored.named(jwtKey),
  });
  return { tokens, close: async () => signingKeys?.close() };
}

async function openSigningKeys(place: string, log: Log): Promise<SigningKeys> {
  const { SigningKeys } = await import('../../calls/access/token/signing-keys.ts');
  return SigningKeys.open({ place, clock: systemClock, log }).catch((error: Error) => {
    throw new ConfigError([`JWT_JWKS: ${error.message}`]);
  });
}
