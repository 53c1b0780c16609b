import { randomBytes } from 'node:crypto';
import { type Access, keyAccess } from '../access/access.ts';
import { KeyCache } from '../access/key-cache/key-cache.ts';
import { everyScope } from '../access/scope.ts';
import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { type KeyPlace, openKeySource } from './key-place.ts';

/** The keys of one run. */
interface GatewayKeys {
  readonly access: Access;
  /** The key with every right: API_KEY, or one made for this run. */
  readonly key: string;
  readonly keyIsRandom: boolean;
  /** The key that other programs on this machine add rows by. */
  readonly importToken: string;
  /** Whether the stored keys are known by now. */
  areKnown(): boolean;
  /** Stops looking after the stored keys. */
  close(): Promise<void>;
}

/**
 * Gets hold of the keys, and doesn't wait long for a store that is away.
 *
 * @throws KeyStoreError when the stored ones can't be read
 */
export async function gatewayKeys(
  config: KeyPlace & Pick<Config, 'apiKey' | 'allowApiKeyInQuery'>,
  log: Log,
): Promise<GatewayKeys> {
  const { apiKey, allowApiKeyInQuery } = config;
  const key = apiKey ?? `gw_${randomBytes(18).toString('base64url')}`;
  const importToken = randomBytes(24).toString('base64url');
  const source = await openKeySource(config, log);
  const fixed = [
    { name: 'API_KEY', secret: key, scopes: everyScope },
    // The import command checks rows before it sends them, and sends nothing while it meets bad ones.
    { name: 'import', secret: importToken, scopes: new Set(['write'] as const), mayPause: true },
  ];
  const stored = new KeyCache({ source, clock: systemClock, log });
  return {
    access: keyAccess(fixed, { stored, allowKeyInQuery: allowApiKeyInQuery }),
    key,
    keyIsRandom: apiKey === undefined,
    importToken,
    areKnown: () => source.current() !== undefined,
    close: async () => source.close(),
  };
}
