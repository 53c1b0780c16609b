import { randomBytes } from 'node:crypto';
import { systemClock } from '../../base/clock/clock.ts';
import type { Log } from '../../base/log/log.ts';
import { type Access, keyAccess } from '../../calls/access/authentication/access.ts';
import { everyScope, type Scope } from '../../calls/access/caller/scope.ts';
import { KeyCache } from '../../calls/access/key-cache/key-cache.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { MemoryBudgets } from '../../definitions/settings/memory-budgets.ts';
import { type KeyPlace, openKeySource } from './key-place.ts';
import { openTokens, type TokenSettings } from './open-tokens.ts';
import { newRunKey } from './run-key.ts';

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
  const stored = new KeyCache({ source, clock: systemClock, log });
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
    areLoaded: () => source.current() !== undefined,
    async close() {
      await source.close();
      await opened?.close();
    },
  };
}
