import { resolve } from 'node:path';
import { z } from 'zod';
import { directory, flag, integer } from './forms.ts';
import { secret, setting } from './setting.ts';

const packageDirectory = resolve(import.meta.dirname, '../..');

export const serverSettings = {
  port: setting('PORT', integer(4000, 0, 65_535), '4000', 'TCP port to listen on; 0 takes any free one'),
  host: setting('HOST', z.string().default('127.0.0.1'), '127.0.0.1', 'address to listen on'),
  apiKey: secret(
    setting(
      'API_KEY',
      z
        .string()
        .regex(/^[\x21-\x7e]+$/, 'expected visible ASCII characters without spaces')
        .optional(),
      'a random one for each run',
      'the key that may do everything',
    ),
  ),
  dataDir: setting('DATA_DIR', directory('data'), './data', 'folder that holds the store'),
  endpointsDir: setting(
    'ENDPOINTS_DIR',
    directory(resolve(packageDirectory, 'schema/endpoints')),
    'schema/endpoints of the package',
    'folder of the endpoint files',
  ),
  sourcesDir: setting(
    'SOURCES_DIR',
    directory(resolve(packageDirectory, 'schema/sources')),
    'schema/sources of the package',
    'folder of the source schemas',
  ),
  requestTimeoutMs: setting(
    'REQUEST_TIMEOUT_MS',
    integer(25_000, 1, 3_600_000),
    '25000',
    'milliseconds after which a request is given up',
  ),
  queryErrorsAs200: setting(
    'QUERY_ERRORS_AS_200',
    flag(false),
    'false',
    'answer failed queries with status 200 and `{"error": ...}`',
  ),
  shutdownDelayMs: setting(
    'SHUTDOWN_DELAY_MS',
    integer(2_000, 0, 20_000),
    '2000',
    'milliseconds for which a gateway that was told to stop still answers, while `/readyz` says no already',
  ),
  shutdownTimeoutMs: setting(
    'SHUTDOWN_TIMEOUT_MS',
    integer(28_000, 0, 3_600_000),
    '28000',
    'milliseconds after which what is still under way is cut when a gateway stops',
  ),
};
