import { z } from 'zod';
import { bigquerySettings } from './config/bigquery-settings.ts';
import { duckdbSettings } from './config/duckdb-settings.ts';
import { type GoogleEnvironment, readGoogleEnvironment } from './config/google-environment.ts';
import { graphqlSettings } from './config/graphql-settings.ts';
import { keySettings } from './config/key-settings.ts';
import { limitSettings } from './config/limit-settings.ts';
import { logSettings } from './config/log-settings.ts';
import { querySettings } from './config/query-settings.ts';
import { type Environment, fileVariable, secretText } from './config/secret-files.ts';
import { serverSettings } from './config/server-settings.ts';
import { type Setting, setting } from './config/setting.ts';
import { readTraceEnvironment, type TraceEnvironment } from './config/trace-environment.ts';
import { unknownVariables } from './config/unknown-variables.ts';

/** Where queries can run. */
export const engines = ['duckdb', 'bigquery'] as const;

/** Every setting, in the order of the README's table. */
const settings = {
  ...serverSettings,
  ...keySettings,
  ...logSettings,
  ...limitSettings,
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
} & GoogleEnvironment &
  TraceEnvironment;

/** Every variable as the README's table shows it, in order. */
export const settingDescriptions: readonly Pick<Setting<unknown>, 'variable' | 'defaultText' | 'meaning'>[] =
  Object.values<Setting<unknown>>(settings).flatMap(({ variable, defaultText, meaning, isSecret }) => [
    { variable, defaultText, meaning },
    ...(isSecret
      ? [
          {
            variable: fileVariable(variable),
            defaultText: 'none',
            meaning: `a file that holds \`${variable}\``,
          },
        ]
      : []),
  ]);

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
export function readConfig(environment: Environment = process.env): Config {
  const problems: string[] = [];
  const entries = Object.entries<Setting<unknown>>(settings).map(([name, setting]) => [
    name,
    readSetting(setting, environment, problems),
  ]);
  // The entries are those of `settings`, each with the value of its own schema.
  const config = {
    ...Object.fromEntries(entries),
    ...readGoogleEnvironment(environment),
    ...readTraceEnvironment(environment),
  } as Config;
  problems.push(...missing(config, environment));
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config);
}

/** Sentences about variables that change nothing, though they look as if they were meant to. */
export function settingWarnings(environment: Environment = process.env): string[] {
  const warnings = unknownVariables(
    environment,
    settingDescriptions.map(({ variable }) => variable),
  );
  readTraceEnvironment(environment, (warning) => warnings.push(warning));
  return warnings;
}

function readSetting(
  { variable, schema, isSecret }: Setting<unknown>,
  environment: Environment,
  problems: string[],
): unknown {
  let text = environment[variable] || undefined;
  const isInFile = isSecret && Boolean(environment[fileVariable(variable)]);
  if (isSecret) {
    try {
      text = secretText(environment, variable);
    } catch (error) {
      problems.push(`${fileVariable(variable)}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }
  const outcome = schema.safeParse(text);
  if (!outcome.success) {
    const reasons = outcome.error.issues.map((issue) => issue.message);
    problems.push(`${isInFile ? fileVariable(variable) : variable}: ${reasons.join(', ')}`);
  }
  return outcome.data;
}

/** What is needed with other settings. */
function missing({ engine, keysStore }: Config, environment: Environment): string[] {
  const isGiven = (variable: string) => Boolean(environment[variable] || environment[fileVariable(variable)]);
  const needed = [
    ...(engine === 'bigquery' ? ['GOOGLE_CLOUD_PROJECT', 'BIGQUERY_DATASET'] : []).map(
      (variable) => [variable, 'ENGINE=bigquery'] as const,
    ),
    ...(keysStore === 'redis' ? [['REDIS_URL', 'KEYS_STORE=redis'] as const] : []),
  ];
  return needed
    .filter(([variable]) => !isGiven(variable))
    .map(([variable, setting]) => `${variable}: needed with ${setting}`);
}
