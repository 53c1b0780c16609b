import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';

/** A project, an old one with its domain included (`example.com:logs`). */
const project = '(?:[a-z0-9.-]{1,63}:)?[a-z][a-z0-9-]{2,62}';
const projectName = new RegExp(`^${project}$`);
const datasetName = new RegExp(`^(?:${project}\\.)?\\w{1,1024}$`);
/** A table, with its dataset and project where they are given. */
const tableName = new RegExp(
  `^(?:(?:${project}\\.)?\\w{1,1024}\\.)?[\\p{L}\\p{M}\\p{N}\\p{Pc}\\p{Pd} ]{1,1024}$`,
  'u',
);
const labelValue = /^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u;

/** One setting: how it is read from its environment variable, and what a reader of the README is told. */
interface Setting<T> {
  readonly variable: string;
  /** The default as the README shows it. */
  readonly defaultText: string;
  readonly meaning: string;
  /** Reads the variable's text; undefined stands for a variable that is unset or empty. */
  readonly schema: z.ZodType<T>;
}

function setting<T>(
  variable: string,
  schema: z.ZodType<T>,
  defaultText: string,
  meaning: string,
): Setting<T> {
  return { variable, defaultText, meaning, schema };
}

function integer(defaultValue: number, min: number, max: number) {
  const expected = `expected a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, expected)
    .transform(Number)
    .refine((value) => value >= min && value <= max, expected)
    .default(defaultValue);
}

function optionalInteger(min: number, max: number) {
  return integer(0, min, max).unwrap().optional();
}

/** `a=x,b=y`, each name once. */
function namedValues(value: RegExp, expected: string) {
  return z
    .string()
    .default('')
    .transform((text, context) => {
      const pairs = new Map<string, string>();
      for (const item of text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')) {
        const [, name, named] = /^([^=]+)=(.*)$/.exec(item) ?? [];
        if (name === undefined || named === undefined || !value.test(named) || pairs.has(name)) {
          const message =
            name !== undefined && pairs.has(name) ? `"${name}" stands twice` : `${expected}, got "${item}"`;
          context.addIssue({ code: 'custom', message });
          return z.NEVER;
        }
        pairs.set(name, named);
      }
      return pairs as ReadonlyMap<string, string>;
    });
}

function flag(defaultValue: boolean) {
  return z
    .enum(['true', 'false'], 'expected true or false')
    .transform((text) => text === 'true')
    .default(defaultValue);
}

function directory(defaultPath: string) {
  return z
    .string()
    .default(defaultPath)
    .transform((path) => resolve(path));
}

const packageDirectory = resolve(import.meta.dirname, '..');

const settings = {
  port: setting('PORT', integer(4000, 0, 65_535), '4000', 'TCP port to listen on; 0 takes any free one'),
  host: setting('HOST', z.string().default('127.0.0.1'), '127.0.0.1', 'address to listen on'),
  apiKey: setting(
    'API_KEY',
    z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'expected visible ASCII characters without spaces')
      .optional(),
    'a random one for each run',
    'the key that may do everything',
  ),
  dataDir: setting('DATA_DIR', directory('data'), './data', 'folder that holds the store'),
  endpointsDir: setting(
    'ENDPOINTS_DIR',
    directory(resolve(packageDirectory, 'schema/endpoints')),
    'schema/endpoints of the package',
    'folder of the endpoint files',
  ),
  sourcesDir: setting(
    'SOURCES_DIR',
    directory(resolve(packageDirectory, 'schema/sources')),
    'schema/sources of the package',
    'folder of the source schemas',
  ),
  requestTimeoutMs: setting(
    'REQUEST_TIMEOUT_MS',
    integer(25_000, 1, 3_600_000),
    '25000',
    'milliseconds after which a request is given up',
  ),
  queryErrorsAs200: setting(
    'QUERY_ERRORS_AS_200',
    flag(false),
    'false',
    'answer failed queries with status 200 and `{"error": ...}`',
  ),
  graphqlIntrospection: setting(
    'GRAPHQL_INTROSPECTION',
    flag(true),
    'true',
    'whether GraphQL clients may ask for the schema',
  ),
  graphiql: setting('GRAPHIQL', flag(true), 'true', 'serve GraphiQL to browsers at `/graphql`'),
  graphqlMaxTokens: setting(
    'GRAPHQL_MAX_TOKENS',
    integer(5_000, 1, 1_000_000),
    '5000',
    'tokens that a GraphQL document may have',
  ),
  graphqlMaxDepth: setting(
    'GRAPHQL_MAX_DEPTH',
    integer(20, 1, 1000),
    '20',
    'levels of fields in a GraphQL operation',
  ),
  graphqlMaxAliases: setting(
    'GRAPHQL_MAX_ALIASES',
    integer(50, 0, 100_000),
    '50',
    'aliases in a GraphQL operation',
  ),
  graphqlMaxDirectives: setting(
    'GRAPHQL_MAX_DIRECTIVES',
    integer(50, 0, 100_000),
    '50',
    'directives in a GraphQL operation',
  ),
  graphqlMaxCalls: setting(
    'GRAPHQL_MAX_CALLS',
    integer(20, 1, 10_000),
    '20',
    'endpoints, and tables of endpoints, that a GraphQL operation may call',
  ),
  graphqlMaxBatch: setting(
    'GRAPHQL_MAX_BATCH',
    integer(10, 1, 1000),
    '10',
    'GraphQL operations in one request',
  ),
  engine: setting(
    'ENGINE',
    z.enum(['duckdb', 'bigquery'], 'expected duckdb or bigquery').default('duckdb'),
    'duckdb',
    'where queries run: `duckdb`, which is embedded, or `bigquery`',
  ),
  googleCloudProject: setting(
    'GOOGLE_CLOUD_PROJECT',
    z.string().regex(projectName, 'expected a project id').optional(),
    'none',
    'the project that BigQuery jobs run in and are billed to',
  ),
  bigqueryDataset: setting(
    'BIGQUERY_DATASET',
    z.string().regex(datasetName, 'expected dataset or project.dataset').optional(),
    'none',
    'the dataset of the tables that are called as their sources: `dataset` or `project.dataset`',
  ),
  bigqueryTables: setting(
    'BIGQUERY_TABLES',
    namedValues(tableName, 'expected source=table, source=dataset.table or source=project.dataset.table'),
    'none',
    'tables of sources that are elsewhere or called otherwise: `edge_logs=other-project.logs.edge`, comma-separated',
  ),
  bigqueryLocation: setting(
    'BIGQUERY_LOCATION',
    z
      .string()
      .regex(/^[A-Za-z0-9-]{1,64}$/, 'expected a location such as EU or europe-west4')
      .optional(),
    "the dataset's",
    'where BigQuery jobs run',
  ),
  bigqueryMaxBytesBilled: setting(
    'BIGQUERY_MAX_BYTES_BILLED',
    optionalInteger(1, Number.MAX_SAFE_INTEGER),
    'none',
    'a query that would be billed more bytes fails, and bills nothing',
  ),
  bigqueryJobTimeoutMs: setting(
    'BIGQUERY_JOB_TIMEOUT_MS',
    optionalInteger(1, 86_400_000),
    'the deadline of the request',
    'milliseconds after which BigQuery ends a job by itself',
  ),
  bigqueryPriority: setting(
    'BIGQUERY_PRIORITY',
    z.enum(['interactive', 'batch'], 'expected interactive or batch').default('interactive'),
    'interactive',
    'priority of BigQuery jobs',
  ),
  bigqueryQueryCache: setting(
    'BIGQUERY_QUERY_CACHE',
    flag(true),
    'true',
    'whether rows may come from a cache of BigQuery’s own',
  ),
  bigqueryJobCreation: setting(
    'BIGQUERY_JOB_CREATION',
    z.enum(['required', 'optional'], 'expected required or optional').default('required'),
    'required',
    '`optional` lets BigQuery answer short queries without making jobs of them',
  ),
  bigqueryLabels: setting(
    'BIGQUERY_LABELS',
    namedValues(labelValue, 'expected key=value with lower-case letters, digits, _ and -'),
    'none',
    'labels of every BigQuery job: `team=x,env=y`',
  ),
  bigqueryKeyBytesPerDay: setting(
    'BIGQUERY_KEY_BYTES_PER_DAY',
    optionalInteger(0, Number.MAX_SAFE_INTEGER),
    'none',
    'bytes that the queries of one key may be billed in a day (UTC)',
  ),
  bigqueryEmulatorHost: setting(
    'BIGQUERY_EMULATOR_HOST',
    z
      .string()
      .refine(
        (url) => /^https?:/.test(url) && URL.canParse(url),
        'expected a URL that starts with http:// or https://',
      )
      .optional(),
    'none',
    'URL of another server that speaks BigQuery’s REST API; without credentials it is asked without',
  ),
  duckdbMemoryLimit: setting(
    'DUCKDB_MEMORY_LIMIT',
    z
      .string()
      .regex(/^\d+(\.\d+)? ?[KMGT]i?B$/i, 'expected a size such as 512MB or 2GiB')
      .default('2GB'),
    '2GB',
    'memory that the embedded engine may use',
  ),
  duckdbThreads: setting(
    'DUCKDB_THREADS',
    integer(availableParallelism(), 1, 1024),
    'number of cores',
    'threads of the embedded engine',
  ),
  maxConcurrentQueries: setting(
    'MAX_CONCURRENT_QUERIES',
    integer(8, 1, 1000),
    '8',
    'queries that run at the same time; more wait',
  ),
  maxQueuedQueries: setting(
    'MAX_QUEUED_QUERIES',
    integer(100, 0, 100_000),
    '100',
    'queries that may wait; more are answered 503',
  ),
  cacheMemoryMb: setting(
    'CACHE_MEMORY_MB',
    integer(256, 1, 1_000_000),
    '256',
    'memory for results that may be reused, in MB',
  ),
  redisUrl: setting(
    'REDIS_URL',
    z
      .string()
      .regex(/^(redis|rediss|unix):/, 'expected a URL that starts with redis://, rediss:// or unix://')
      .refine((url) => /^unix:|^[^/]*\/\/[^/]+(\/\d*)?$/.test(url) && URL.canParse(url), 'expected a URL')
      .optional(),
    'none',
    'Redis or Valkey in which replicas share results',
  ),
  cacheNamespace: setting(
    'CACHE_NAMESPACE',
    z
      .string()
      .regex(/^[A-Za-z0-9_.-]{1,100}$/, 'expected letters, digits, _, . and -')
      .default('endpoint-gateway'),
    'endpoint-gateway',
    'the first part of every key in Redis; deployments with other data need another one',
  ),
  warmConcurrency: setting(
    'WARM_CONCURRENCY',
    integer(2, 1, 100),
    '2',
    'results that are refreshed in the background at the same time',
  ),
  metricsPublic: setting('METRICS_PUBLIC', flag(false), 'false', 'serve `/metrics` without a key'),
  analyzerMemoryMb: setting(
    'ANALYZER_MEMORY_MB',
    integer(3000, 1500, 1_000_000),
    '3000',
    'address space of the GoogleSQL analyzer process, in MB',
  ),
};

type Settings = typeof settings;

/** The settings of the program. Folders are absolute paths. */
export type Config = {
  readonly [Name in keyof Settings]: Settings[Name] extends Setting<infer T> ? T : never;
};

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
  const config = Object.fromEntries(entries) as Config;
  if (problems.length === 0 && config.engine === 'bigquery') {
    if (config.googleCloudProject === undefined)
      problems.push('GOOGLE_CLOUD_PROJECT: needed with ENGINE=bigquery');
    if (config.bigqueryDataset === undefined) problems.push('BIGQUERY_DATASET: needed with ENGINE=bigquery');
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config);
}
