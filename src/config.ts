import { z } from 'zod';
import { bigquerySettings } from './config/bigquery-settings.ts';
import { duckdbSettings } from './config/duckdb-settings.ts';
import { type GoogleEnvironment, readGoogleEnvironment } from './config/google-environment.ts';
import { graphqlSettings } from './config/graphql-settings.ts';
import { querySettings } from './config/query-settings.ts';
import { serverSettings } from './config/server-settings.ts';
import { type Setting, setting } from './config/setting.ts';

/** Where queries can run. */
export const engines = ['duckdb', 'bigquery'] as const;

/** Every setting, in the order of the README's table. */
const settings = {
  ...serverSettings,
  ...graphqlSettings,
  engine: setting(
    'ENGINE',
    z.enum(engines, 'expected duckdb or bigquery').default('duckdb'),
    'duckdb',
    'where queries run: `duckdb`, which is embedded, or `bigquery`',
  ),
  ...bigquerySettings,
  ...duckdbSettings,
  ...querySettings,
};

type Settings = typeof settings;

/** The settings of the program. Folders are absolute paths. */
export type Config = {
  readonly [Name in keyof Settings]: Settings[Name] extends Setting<infer T> ? T : never;
} & GoogleEnvironment;

/** Every setting as the README's table shows it, in order. */
export const settingDescriptions: readonly Pick<Setting<unknown>, 'variable' | 'defaultText' | 'meaning'>[] =
  Object.values(settings).map(({ variable, defaultText, meaning }) => ({ variable, defaultText, meaning }));

/** Settings that can't be used: every problem, each naming its variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * Reads the settings from the environment. A variable that holds an empty text counts as unset.
 *
 * @throws ConfigError with all problems at once
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const problems: string[] = [];
  const entries = Object.entries<Setting<unknown>>(settings).map(([name, { variable, schema }]) => {
    const outcome = schema.safeParse(environment[variable] || undefined);
    if (!outcome.success) {
      const reasons = outcome.error.issues.map((issue) => issue.message);
      problems.push(`${variable}: ${reasons.join(', ')}`);
    }
    return [name, outcome.data];
  });
  // The entries are those of `settings`, each with the value of its own schema.
  const config = { ...Object.fromEntries(entries), ...readGoogleEnvironment(environment) } as Config;
  if (config.engine === 'bigquery') {
    for (const variable of ['GOOGLE_CLOUD_PROJECT', 'BIGQUERY_DATASET'])
      if (!environment[variable]) problems.push(`${variable}: needed with ENGINE=bigquery`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config);
}
