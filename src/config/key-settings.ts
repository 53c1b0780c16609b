import { resolve } from 'node:path';
import { z } from 'zod';
import { flag } from './forms.ts';
import { setting } from './setting.ts';

/** Where keys are kept, and how they may come. */
export const keySettings = {
  keysStore: setting(
    'KEYS_STORE',
    z.enum(['file', 'redis'], 'expected file or redis').default('file'),
    'file',
    'where `keys create` keeps keys: in a `file`, or in `redis`, for replicas without a file that they share',
  ),
  keysFile: setting(
    'KEYS_FILE',
    z
      .string()
      .transform((path) => resolve(path))
      .optional(),
    '`keys.json` in `DATA_DIR`',
    'the file that keys are kept in',
  ),
  allowApiKeyInQuery: setting(
    'ALLOW_API_KEY_IN_QUERY',
    flag(false),
    'false',
    'whether queries may bring their key as `?api_key=`, which proxies and browsers write down',
  ),
};
