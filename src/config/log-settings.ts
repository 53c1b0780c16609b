import { z } from 'zod';
import { logLevels } from '../log/log-level.ts';
import { setting } from './setting.ts';

/** What is logged, and how. */
export const logSettings = {
  logLevel: setting(
    'LOG_LEVEL',
    z.enum(logLevels, `expected ${logLevels.join(', ')}`).default('info'),
    'info',
    'what is logged: `debug`, `info` with every request, `warn`, `error` or `silent`',
  ),
  logFormat: setting(
    'LOG_FORMAT',
    z.enum(['json', 'text'], 'expected json or text').optional(),
    'text in the demo and on a terminal, else json',
    '`json`: one object a line on standard output, requests included; `text`: warnings and errors on standard error',
  ),
};
