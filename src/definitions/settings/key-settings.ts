import { resolve } from 'node:path';
import { z } from 'zod';
import { deprecated, flag, integer, secret, setting } from './setting.ts';

/** Where API keys are stored, and how requests can send them. */
export const keySettings = {
  keysStore: setting(
    'KEYS_STORE',
    z.enum(['file', 'redis'], 'expected file or redis').default('file'),
    'file',
    'Where API keys are stored: in a `file`, or in `redis` for replicas that share no file.',
  ),
  keysFile: setting(
    'KEYS_FILE',
    z
      .string()
      .transform((path) => resolve(path))
      .optional(),
    '`keys.json` in `DATA_DIR`',
    'File that stores API keys.',
  ),
  allowApiKeyInQuery: deprecated(
    setting(
      'ALLOW_API_KEY_IN_QUERY',
      flag(false),
      'false',
      'Whether requests can send their key as `?api_key=`. Proxies and browsers record URLs.',
    ),
    'Send keys in the header `X-API-KEY`.',
  ),
  jwtSecret: secret(
    setting(
      'JWT_SECRET',
      z.string().min(32, 'expected at least 32 characters').optional(),
      'none',
      'Secret with which [tokens](keys.md#tokens) are signed by HS256.',
    ),
  ),
  jwtJwks: setting(
    'JWT_JWKS',
    z.string().min(1).optional(),
    'none',
    'File or URL of the JSON Web Key Set that verifies tokens signed by RS256 or ES256.',
  ),
  jwtIssuer: setting('JWT_ISSUER', z.string().optional(), 'any', 'Issuer (`iss`) that tokens must have.'),
  jwtAudience: setting(
    'JWT_AUDIENCE',
    z.string().min(1).default('endpoint-gateway'),
    'endpoint-gateway',
    'Audience (`aud`) that tokens must have.',
  ),
  jwtKey: setting(
    'JWT_KEY',
    z.string().optional(),
    'none: tokens may call everything',
    'Name or id of the stored API key whose permissions tokens can only narrow.',
  ),
  jwtMaxLifetimeSeconds: setting(
    'JWT_MAX_LIFETIME_SECONDS',
    integer(86_400, 1, 315_360_000),
    '86400',
    'Longest lifetime of [tokens](keys.md#tokens), from `iat` to `exp`, in seconds.',
  ),
  cursorSecret: secret(
    setting(
      'CURSOR_SECRET',
      z.string().min(32, 'expected at least 32 characters').optional(),
      '`JWT_SECRET`, otherwise a random one that is kept in `DATA_DIR`',
      'Secret of the cursors of [pages](pages.md). Replicas need the same one.',
    ),
  ),
  mcpKey: secret(
    setting(
      'MCP_KEY',
      z.string().optional(),
      'none: agents may call everything',
      'API key whose permissions agents have with `endpoint-gateway mcp`.',
    ),
  ),
};
