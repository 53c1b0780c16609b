import type { KeyCache } from '../access/key-cache/key-cache.ts';
import { everyScope } from '../access/scope.ts';
import { readKeySet } from '../access/token/read-jwt-settings.ts';
import type { TokenVerifier } from '../access/token/token-verifier.ts';
import { systemClock } from '../clock.ts';
import { type Config, ConfigError } from '../config.ts';

/** The issuer of tokens without a stored key. */
const unrestricted = { name: 'JWT', scopes: everyScope, redact: false };

/**
 * The verifier of tokens, if they are configured.
 *
 * @throws ConfigError if the key set can't be read
 */
export async function tokenVerifier(
  config: Pick<Config, 'jwtSecret' | 'jwtJwks' | 'jwtIssuer' | 'jwtAudience' | 'jwtKey'>,
  stored: KeyCache,
): Promise<TokenVerifier | undefined> {
  const { jwtSecret: secret, jwtJwks, jwtIssuer: issuer, jwtAudience: audience, jwtKey } = config;
  if (secret === undefined && jwtJwks === undefined) return undefined;
  const read = jwtJwks === undefined ? undefined : readKeySet(jwtJwks);
  const keySet = await read?.catch((error: Error) => {
    throw new ConfigError([`JWT_JWKS: ${error.message}`]);
  });
  // Loaded only if it is used: it takes 20 ms of a start.
  const { TokenVerifier } = await import('../access/token/token-verifier.ts');
  return new TokenVerifier({
    settings: { secret, keySet, issuer, audience },
    clock: systemClock,
    issuerKey: jwtKey === undefined ? () => unrestricted : () => stored.named(jwtKey),
  });
}
