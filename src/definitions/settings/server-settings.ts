import { z } from 'zod';
import { shippedFolders } from '../../base/package-folder.ts';
import { directory, flag, integer, projectDirectory, secret, setting } from './setting.ts';

/** A scheme and a host, with a port or without. Apps have schemes of their own, such as `capacitor://localhost`. */
const form = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\*]+$/i;

const expected = 'expected * or origins such as https://app.example.com, without a path, separated by commas';

/** `*`, or origins as browsers send them in `Origin`. */
const corsOrigins = z
  .string()
  .default('*')
  .transform((text, context): readonly string[] => {
    if (text.trim() === '*') return ['*'];
    const items = text.split(',').map((item) => item.trim());
    const origins = items.map(originOf).filter((origin) => origin !== undefined);
    if (origins.length === items.length) return origins;
    const wrong = items.find((item) => originOf(item) === undefined);
    context.addIssue({ code: 'custom', message: `${expected}, got ${JSON.stringify(wrong)}` });
    return z.NEVER;
  });

export const serverSettings = {
  port: setting('PORT', integer(4000, 0, 65_535), '4000', 'TCP port to listen on. 0 picks a free port.'),
  host: setting('HOST', z.string().default('127.0.0.1'), '127.0.0.1', 'Address to listen on.'),
  apiKey: secret(
    setting(
      'API_KEY',
      z
        .string()
        .regex(/^[\x21-\x7e]+$/, 'expected visible ASCII characters without spaces')
        .optional(),
      'random for each run',
      'API key with all permissions.',
    ),
  ),
  dataDir: setting('DATA_DIR', directory('data'), './data', 'Folder of the store.'),
  endpointsDir: setting(
    'ENDPOINTS_DIR',
    projectDirectory('endpoints', shippedFolders.endpoints),
    './endpoints if it exists, else schema/endpoints of the package',
    'Folder of the endpoint files.',
  ),
  sourcesDir: setting(
    'SOURCES_DIR',
    projectDirectory('sources', shippedFolders.sources),
    './sources if it exists, else schema/sources of the package',
    'Folder of the source schemas.',
  ),
  console: setting('CONSOLE', flag(true), 'true', 'Whether browsers get the [console](console.md) at `/`.'),
  corsOrigins: setting(
    'CORS_ORIGINS',
    corsOrigins,
    '*',
    'Origins whose pages may read responses, separated by commas, such as `https://app.example.com`. `*` means any. Only listed origins may use credentials.',
  ),
  requestTimeoutMs: setting(
    'REQUEST_TIMEOUT_MS',
    integer(25_000, 1, 3_600_000),
    '25000',
    'Time limit of a request, in milliseconds, including queue time.',
  ),
  unknownParameters: setting(
    'UNKNOWN_PARAMETERS',
    z.enum(['ignore', 'reject'], 'expected ignore or reject').default('ignore'),
    'ignore',
    'Whether REST calls with parameters that their endpoint does not declare are refused (`reject`), or the parameters are named in a header.',
  ),
  queryErrorsAs200: setting(
    'QUERY_ERRORS_AS_200',
    flag(false),
    'false',
    'Whether failed queries get status 200 with `{"error": ...}`.',
  ),
  shutdownDelayMs: setting(
    'SHUTDOWN_DELAY_MS',
    integer(2_000, 0, 20_000),
    '2000',
    'Milliseconds during which a stopping gateway still serves requests, while `/readyz` already reports 503.',
  ),
  shutdownTimeoutMs: setting(
    'SHUTDOWN_TIMEOUT_MS',
    integer(28_000, 0, 3_600_000),
    '28000',
    'Milliseconds after which a stopping gateway aborts the remaining requests.',
  ),
};

/** The origin as browsers write it: in lower case, without the default port. Undefined if it isn't one. */
function originOf(item: string): string | undefined {
  const origin = form.test(item) ? URL.parse(item)?.origin : undefined;
  return origin === 'null' ? item.toLowerCase() : origin;
}
