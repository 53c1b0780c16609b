import { randomBytes } from 'node:crypto';
import { type Access, everyScope, keyAccess } from '../access/access.ts';
import type { Config } from '../config.ts';

/** The keys of one run. */
export interface GatewayKeys {
  readonly access: Access;
  /** The key with every right: API_KEY, or one made for this run. */
  readonly key: string;
  readonly keyIsRandom: boolean;
  /** The key that other programs on this machine add rows by. */
  readonly importToken: string;
}

export function gatewayKeys({ apiKey }: Pick<Config, 'apiKey'>): GatewayKeys {
  const key = apiKey ?? `gw_${randomBytes(18).toString('base64url')}`;
  const importToken = randomBytes(24).toString('base64url');
  const access = keyAccess([
    { name: 'API_KEY', secret: key, scopes: everyScope },
    { name: 'import', secret: importToken, scopes: new Set(['rows:write']) },
  ]);
  return { access, key, keyIsRandom: apiKey === undefined, importToken };
}
