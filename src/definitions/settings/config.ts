import { z } from 'zod';
import { bigquerySettings } from './bigquery-settings.ts';
import { cacheSettings } from './cache-settings.ts';
import { commandSettings } from './command-settings.ts';
import { duckdbSettings } from './duckdb-settings.ts';
import { type GoogleEnvironment, readGoogleEnvironment } from './google-environment.ts';
import { graphqlSettings } from './graphql-settings.ts';
import { ingestSettings } from './ingest-settings.ts';
import { keySettings } from './key-settings.ts';
import { limitSettings } from './limit-settings.ts';
import { logSettings } from './log-settings.ts';
import { fetchedFolders, originProblems, originSettings } from './origin-settings.ts';
import { querySettings } from './query-settings.ts';
import { recordSettings } from './record-settings.ts';
import { type Environment, fileVariable, secretText } from './secret-files.ts';
import { serverSettings } from './server-settings.ts';
import { type Setting, setting } from './setting.ts';
import { readTraceEnvironment, type TraceEnvironment } from './trace-environment.ts';
import { unknownVariables } from './unknown-variables.ts';

/** The engine that runs queries unless ENGINE names another. */
export const defaultEngine = 'duckdb';

/** What an engine requires of the settings. */
export interface EngineSettings {
  /** Its name in ENGINE. */
  readonly name: string;
  /** The variables that have no default and that it needs. */
  readonly requiredVariables: readonly string[];
  /** What else is wrong for it, starting with the variable. */
  readonly settingsProblem?: (environment: Environment) => string | undefined;
}

const engineSettings = {
  engine: setting(
    'ENGINE',
    z.string().default(defaultEngine),
    defaultEngine,
    'Engine that runs queries: `duckdb` (embedded) or `bigquery`.',
  ),
  ...querySettings,
};

/** The sections of docs/settings.md. */
const sections = {
  Server: serverSettings,
  'Endpoints from elsewhere': originSettings,
  'API keys': keySettings,
  'Rate limits, connections and uploads': limitSettings,
  Queries: engineSettings,
  'Cache and Redis': cacheSettings,
  'Rows from collectors': ingestSettings,
  'Embedded engine': duckdbSettings,
  BigQuery: bigquerySettings,
  GraphQL: graphqlSettings,
  'Logs and metrics': logSettings,
  'Records of calls': recordSettings,
  Commands: commandSettings,
};

const settings = {
  ...serverSettings,
  ...originSettings,
  ...keySettings,
  ...limitSettings,
  ...engineSettings,
  ...cacheSettings,
  ...ingestSettings,
  ...duckdbSettings,
  ...bigquerySettings,
  ...graphqlSettings,
  ...logSettings,
  ...recordSettings,
  ...commandSettings,
};

type Settings = typeof settings;

/** The settings of the program. Folders are absolute paths. */
export type Config = {
  readonly [Name in keyof Settings]: Settings[Name] extends Setting<infer T> ? T : never;
} & GoogleEnvironment &
  TraceEnvironment & {
    /** The names that ENGINE can have. */
    readonly engines: readonly string[];
  };

/** A row of docs/settings.md. */
type SettingDescription = Pick<Setting<unknown>, 'variable' | 'defaultText' | 'meaning'>;

/** Every section of docs/settings.md: its heading and its rows, in order. */
export const settingSections: readonly (readonly [heading: string, rows: readonly SettingDescription[]])[] =
  Object.entries<Readonly<Record<string, Setting<unknown>>>>(sections).map(([heading, section]) => [
    heading,
    Object.values(section).flatMap(describe),
  ]);

/** Every variable, in the order of docs/settings.md. */
export const settingDescriptions = settingSections.flatMap(([, rows]) => rows);

/** The names of all variables that are settings. */
export const settingNames: ReadonlySet<string> = new Set(settingDescriptions.map(({ variable }) => variable));

function describe({ variable, defaultText, meaning, isSecret }: Setting<unknown>): SettingDescription[] {
  const ofFile = {
    variable: fileVariable(variable),
    defaultText: 'none',
    meaning: `File that contains \`${variable}\`.`,
  };
  return [{ variable, defaultText, meaning }, ...(isSecret ? [ofFile] : [])];
}

/** Invalid settings: all problems, each starting with its variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * Reads the settings from the environment, for one of these engines. An empty variable counts as unset.
 *
 * @throws ConfigError with all problems at once
 */
export function readSettings(environment: Environment, engines: readonly EngineSettings[]): Config {
  const problems: string[] = [];
  const names = engines.map(({ name }) => name);
  const ofEngines = z.enum(names, `expected ${names.join(' or ')}`).default(defaultEngine);
  const all = { ...settings, engine: { ...settings.engine, schema: ofEngines } };
  const entries = Object.entries<Setting<unknown>>(all).map(([name, setting]) => [
    name,
    readSetting(setting, environment, problems),
  ]);
  // The entries are those of `all`, each with the value of its own schema.
  const read = {
    ...Object.fromEntries(entries),
    ...readGoogleEnvironment(environment),
    ...readTraceEnvironment(environment),
    engines: names,
  } as Config;
  const { endpointsFrom: origin, endpointsPublicKey } = read;
  const config = origin === undefined ? read : { ...read, ...fetchedFolders(read.dataDir, origin) };
  problems.push(...originProblems(origin, endpointsPublicKey !== undefined, environment));
  const engine = engines.find(({ name }) => name === config.engine);
  problems.push(...missing(config, engine?.requiredVariables ?? [], environment));
  const ofEngine = engine?.settingsProblem?.(environment);
  if (ofEngine !== undefined) problems.push(ofEngine);
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config);
}

/** Warnings about unknown and deprecated settings, and about invalid OpenTelemetry variables. */
export function settingWarnings(environment: Environment = process.env): string[] {
  const warnings = unknownVariables(environment, [...settingNames]);
  for (const { variable, instead } of Object.values<Setting<unknown>>(settings)) {
    if (instead !== undefined && environment[variable])
      warnings.push(`${variable} is deprecated, and a later version ignores it. ${instead}`);
  }
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

/** Problems with settings that another setting requires. */
function missing(
  { engine, keysStore }: Config,
  ofEngine: readonly string[],
  environment: Environment,
): string[] {
  const isGiven = (variable: string) => Boolean(environment[variable] || environment[fileVariable(variable)]);
  const needed = [
    ...ofEngine.map((variable) => [variable, `ENGINE=${engine}`] as const),
    ...(keysStore === 'redis' ? [['REDIS_URL', 'KEYS_STORE=redis'] as const] : []),
  ];
  return needed
    .filter(([variable]) => !isGiven(variable))
    .map(([variable, setting]) => `${variable}: required with ${setting}`);
}
