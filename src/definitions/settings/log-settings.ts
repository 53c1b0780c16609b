import { z } from 'zod';
import { flag, setting } from './setting.ts';

/** How much is logged: from everything to nothing. */
const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export type LogLevel = (typeof logLevels)[number];

/** Whether what has a severity is logged at a level. */
export function isLogged(severity: Exclude<LogLevel, 'silent'>, level: LogLevel): boolean {
  return logLevels.indexOf(severity) >= logLevels.indexOf(level);
}

/** Logs and metrics. */
export const logSettings = {
  logLevel: setting(
    'LOG_LEVEL',
    z.enum(logLevels, `expected ${logLevels.join(', ')}`).default('info'),
    'info',
    'Lowest level that is logged: `debug`, `info` (includes every request), `warn`, `error` or `silent`.',
  ),
  logFormat: setting(
    'LOG_FORMAT',
    z.enum(['json', 'text'], 'expected json or text').optional(),
    '`text` in the demo and on a terminal, otherwise `json`',
    '`json` writes one object per line to standard output, including requests. `text` writes warnings and errors to standard error.',
  ),
  metricsPublic: setting(
    'METRICS_PUBLIC',
    flag(false),
    'false',
    'Whether `/metrics` is served without a key.',
  ),
};
