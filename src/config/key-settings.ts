import { resolve } from 'node:path';
import { z } from 'zod';
import { flag } from './forms.ts';
import { secret, setting } from './setting.ts';

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
  allowApiKeyInQuery: setting(
    'ALLOW_API_KEY_IN_QUERY',
    flag(false),
    'false',
    'Whether query requests can send their key as `?api_key=`. Proxies and browsers record URLs.',
  ),
  mcpKey: secret(
    setting(
      'MCP_KEY',
      z.string().optional(),
      'none: agents may call everything',
      'API key whose permissions agents have with `gateway mcp`.',
    ),
  ),
};
