import { z } from 'zod';
import { plainIssue } from '../../base/text/plain-issue.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import { ConfigError } from '../../definitions/settings/config.ts';
import type { GatewayOptions } from './gateway.ts';
import { settingNames } from './setting-name.ts';

const setting = z.union([z.string(), z.number(), z.boolean()]).optional();

const isLog = (log: unknown) =>
  typeof log === 'object' &&
  log !== null &&
  ['info', 'warn', 'error'].every((method) => typeof Reflect.get(log, method) === 'function');

const gatewayOptions = z.strictObject({
  endpointsDir: z.string().optional(),
  sourcesDir: z.string().optional(),
  dataDir: z.string().optional(),
  settings: z.strictObject(Object.fromEntries(settingNames.map((name) => [name, setting]))).optional(),
  log: z.custom(isLog, 'expected an object with the methods info, warn and error').optional(),
});

const known = [...Object.keys(gatewayOptions.shape), ...settingNames];

/**
 * Checks options, whose types callers in JavaScript may not know.
 *
 * @throws ConfigError with a line for each wrong one
 */
export function checkOptions(options: GatewayOptions): void {
  const { error } = gatewayOptions.safeParse(options, { reportInput: true, error: plainIssue });
  if (error !== undefined) throw new ConfigError(error.issues.flatMap(problemsOf));
}

function problemsOf(issue: z.core.$ZodIssue): string[] {
  const place = ['options', ...issue.path].join('.');
  if (issue.code !== 'unrecognized_keys') return [`${place}: ${issue.message}`];
  return issue.keys.map((key) => `${place}: there is no "${key}"${didYouMean(key, known)}`);
}
