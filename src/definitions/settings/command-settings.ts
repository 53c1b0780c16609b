import { z } from 'zod';
import { secret, setting } from './setting.ts';

/** What commands use that call a gateway. */
export const commandSettings = {
  serverUrl: setting(
    'SERVER_URL',
    z
      .url({ protocol: /^https?$/, error: 'expected an address, such as http://127.0.0.1:4000' })
      .transform((url) => url.replace(/\/+$/, ''))
      .optional(),
    'none: commands use the files here',
    'Address of the gateway that `endpoint-gateway run` calls.',
  ),
  serverKey: secret(
    setting('SERVER_KEY', z.string().optional(), 'none', 'API key with which it calls that gateway.'),
  ),
};
