import { randomBytes } from 'node:crypto';
import type { CacheBudget } from '../../base/memory/cache-budget.ts';
import { systemClock } from '../../base/system/clock.ts';
import type { Log } from '../../base/terminal/log.ts';
import { type Access, keyAccess } from '../../calls/access/authentication/access.ts';
import { everyScope, type Scope } from '../../calls/access/caller/caller.ts';
import { type LastUses, mergedUses } from '../../calls/access/key/last-uses.ts';
import type { StoredKey } from '../../calls/access/key/stored-key.ts';
import { ExpiryWarnings } from '../../calls/access/key-cache/expiry-warnings.ts';
import { KeyCache } from '../../calls/access/key-cache/key-cache.ts';
import { UseRecorder } from '../../calls/access/key-cache/use-recorder.ts';
import type { SigningKeys } from '../../calls/access/token/signing-keys.ts';
import type { TokenVerifier } from '../../calls/access/token/token-verifier.ts';
import { type Config, ConfigError } from '../../definitions/settings/config.ts';
import type { MemoryBudgets } from '../../definitions/settings/memory-budgets.ts';
import { type KeyPlace, openKeySource } from './key-place.ts';
import { newRunKey } from './run-key.ts';
import { addUses, readUses } from './stored-keys.ts';

/** How often keys are looked at while nobody uses them, in milliseconds. */
const lookMs = 2_000;

/** The settings of tokens. */
type TokenSettings = Pick<
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
async function openTokens(
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
    issuerKey: jwtKey === undefined ? () => unrestricted : () => stored.issuer(jwtKey),
  });
  return { tokens, close: async () => signingKeys?.close() };
}

async function openSigningKeys(place: string, log: Log): Promise<SigningKeys> {
  const { SigningKeys } = await import('../../calls/access/token/signing-keys.ts');
  return SigningKeys.open({ place, clock: systemClock, log }).catch((error: Error) => {
    throw new ConfigError([`JWT_JWKS: ${error.message}`]);
  });
}

/** The keys of one run. */
export interface GatewayKeys {
  readonly access: Access;
  /** The key with every right: API_KEY, or one made for this run. */
  readonly key: string;
  readonly keyIsRandom: boolean;
  /** The key for commands such as `import` and `backup` on this machine. */
  readonly importToken: string;
  /** The keys with which people call this gateway, besides the stored ones. */
  readonly fixed: readonly { readonly name: string; readonly scopes: ReadonlySet<Scope> }[];
  /** Calls the function with the stored keys, now and whenever they have changed, and with those before. */
  onChanged(whenChanged: (keys: readonly StoredKey[], before: readonly StoredKey[]) => void): void;
  /**
   * When stored keys were last used, here and elsewhere.
   *
   * @throws KeyStoreError
   */
  uses(): Promise<LastUses>;
  /** The stored keys that expire soon, the first of them first. */
  expiring(): readonly StoredKey[];
  /** Whether the stored keys have been loaded. */
  areLoaded(): boolean;
  /** Stops watching the stored keys and the key set of tokens. */
  close(): Promise<void>;
}

/**
 * Loads the keys. Doesn't wait long for an unavailable store, nor for a key set at a URL.
 *
 * @param runKey the key if API_KEY is not set
 * @throws KeyStoreError if the stored keys can't be read
 */
export async function gatewayKeys(
  config: KeyPlace & TokenSettings & Pick<Config, 'apiKey' | 'allowApiKeyInQuery'>,
  budgets: Pick<MemoryBudgets, 'tokens'>,
  log: Log,
  runKey = newRunKey(),
): Promise<GatewayKeys> {
  const { apiKey, allowApiKeyInQuery } = config;
  const key = apiKey ?? runKey;
  const importToken = randomBytes(24).toString('base64url');
  const source = await openKeySource(config, log);
  const own = { name: 'API_KEY', secret: key, redact: false, scopes: everyScope };
  const known = [
    own,
    // Commands on this machine may do what their user could with the store. The import command validates rows before it
    // sends them, and pauses while it meets invalid ones.
    {
      name: 'import',
      secret: importToken,
      redact: false,
      scopes: everyScope,
      mayPause: true,
    },
  ];
  let whenChanged: Parameters<GatewayKeys['onChanged']>[0] = () => {};
  const stored = new KeyCache({
    ...{ source, clock: systemClock, log },
    onKeys: (keys, before) => whenChanged(keys, before),
  });
  const recorder = new UseRecorder({
    uses: () => stored.uses(),
    add: (uses) => addUses(config, uses),
    clock: systemClock,
    log,
  });
  // What others do to keys is recorded also while nobody calls.
  const looking = setInterval(() => stored.look(), lookMs).unref();
  const warnings = new ExpiryWarnings({ source, clock: systemClock, log });
  const opened = await openTokens(config, stored, budgets.tokens, log);
  return {
    access: keyAccess(known, {
      stored,
      allowKeyInQuery: allowApiKeyInQuery,
      ...(opened && { tokens: opened.tokens }),
    }),
    key,
    keyIsRandom: apiKey === undefined,
    importToken,
    fixed: [{ name: own.name, scopes: own.scopes }],
    onChanged(call) {
      whenChanged = call;
      call(source.current() ?? [], []);
    },
    uses: async () => mergedUses(await readUses(config), stored.uses()),
    expiring: () => warnings.expiring(),
    areLoaded: () => source.current() !== undefined,
    async close() {
      clearInterval(looking);
      warnings.close();
      await recorder.close();
      await source.close();
      await opened?.close();
    },
  };
}
