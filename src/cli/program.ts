import { Command, CommanderError, Option } from 'commander';
import { type Config, engines, readConfig, settingWarnings } from '../config.ts';
import type { ExplainOptions } from './explain.ts';
import { explainFailure } from './explain-failure.ts';
import type { KeyOptions } from './keys/key-options.ts';
import type { Output } from './output.ts';

// Files are for this user only: DuckDB makes files of rows by itself, and takes their mode from the process. Commands whose files
// are meant for others, too, set the user's own mask again.
const umaskOfUser = process.umask(0o077);

const output: Output = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

const program = new Command('gateway').description(
  'Serves stored, parameterised GoogleSQL queries as endpoints.',
);
const list = (item: string, before: readonly string[] = []) => [...before, item];
// Each command loads its own modules: starting fast matters.
program
  .command('serve')
  .description('serve the endpoints, over the store or over BigQuery')
  .option('--watch', 'reload the endpoints when their files change')
  .action((options: { watch?: boolean }) =>
    run(async (config) => (await import('./serve.ts')).serveCommand(config, output, options), 'log')(),
  );
program
  .command('demo')
  .description('serve plausible rows of a few made-up projects, and keep adding some')
  .addOption(
    new Option(
      '--engine <engine>',
      'where queries run: embedded, or on a BigQuery server of its own',
    ).choices(engines),
  )
  .action((options: { engine?: Config['engine'] }) =>
    run(async (config) => {
      const { demoCommand } = await import('./demo/demo.ts');
      return demoCommand(config, { ...output, terminal: process.stderr }, options);
    }, 'log')(),
  );
program
  .command('check')
  .description('check every endpoint against the sources, without any data')
  .option('--against <file>', 'also report what breaks clients of this GraphQL schema, printed before')
  .option('--engine', 'also ask BigQuery: what each endpoint would read, and whether types and tables agree')
  .action((options: { against?: string; engine?: boolean }) =>
    run(async (config) => (await import('./check.ts')).checkCommand(config, output, options))(),
  );
program
  .command('schema')
  .description('print the GraphQL schema of the endpoints, without any data')
  .option('--output <file>', 'write it to a file instead')
  .action((options: { output?: string }) =>
    run(async (config) => {
      process.umask(umaskOfUser);
      return (await import('./schema.ts')).schemaCommand(config, output, options);
    })(),
  );
program
  .command('lql')
  .description('print the SQL that an LQL text becomes, without any data')
  .argument('<text>', "the text, as 'f:edge_logs error t:last@1h'")
  // A text may begin with a minus.
  .allowUnknownOption()
  .requiredOption('--endpoint <endpoint>', 'the name or id of the endpoint whose tables it is about')
  .action((text: string, options: { endpoint: string }) =>
    run(async (config) => (await import('./lql.ts')).lqlCommand(config, output, text, options))(),
  );
program
  .command('explain')
  .description('print the SQL that the engine runs for a call of an endpoint, without running it')
  .argument('<endpoint>', 'its name or id')
  .option('--param <name=value>', 'a parameter of the call; may be given again', list)
  .option('--sql <query>', "a caller's query over the endpoint's tables, instead of the stored one")
  .option('--plan', 'also print DuckDB’s plan; opens the store, which only one process can')
  .action((endpoint: string, options: ExplainOptions) =>
    run(async (config) => (await import('./explain.ts')).explainCommand(config, output, endpoint, options))(),
  );
program
  .command('import')
  .description('add the rows of NDJSON (plain or gzip) or Parquet files to a source')
  .argument('<source>', 'the source, as edge_logs')
  .argument('<files...>', 'the files; each is added as a whole or not at all')
  .option('--skip-bad-rows', 'add the rows that fit, and write the others to a file')
  .option('--rejects <file>', 'the file for rows that do not fit (default: <file>.rejects.ndjson)')
  .action((source: string, files: string[], options: { skipBadRows?: boolean; rejects?: string }) =>
    run(async (config) =>
      (await import('./import.ts')).importCommand({ source, files, ...options }, config),
    )(),
  );
const sources = program.command('sources').description('about the tables that the sources are in BigQuery');
sources
  .command('pull')
  .description('write the schemas of BigQuery’s tables as files of sources')
  .argument('[names...]', 'the sources (default: those that there are, or else all tables of the dataset)')
  .option('--output <folder>', 'write to this folder (default: that of the sources)')
  .action((names: string[], options: { output?: string }) =>
    run(async (config) => {
      process.umask(umaskOfUser);
      return (await import('./sources/pull.ts')).pullCommand(config, output, names, options);
    })(),
  );

const keys = program.command('keys').description('about the keys that callers are let in by');
keys
  .command('create')
  .description('make a key, and show it: alone on standard output, and only this once')
  .requiredOption('--name <who>', 'whose key it is, for logs, budgets and `keys revoke`')
  .option('--endpoints <names>', 'only these endpoints, by name or id, comma-separated', list)
  .option('--projects <refs>', 'only these values of the parameter `project`, comma-separated', list)
  .option('--pin <name=value>', 'only this value of another parameter; may be given again', list)
  .option('--scopes <scopes>', 'what it is for: query, write, admin (default: query)', list)
  .option('--expires <when>', 'when it ends: 90d, 12h or 2026-12-31 (default: never)')
  .option('--redact', 'rows are always redacted')
  .option('--rate <rate>', 'requests that it may make: 10/s, 600/m or 5000/h')
  .option('--bytes-per-day <bytes>', 'bytes that its queries may be billed in a day (UTC): 5000000 or 100GB')
  .action((options: KeyOptions) =>
    run(async (config) => (await import('./keys/create.ts')).createKeyCommand(config, output, options))(),
  );
keys
  .command('list')
  .description('list the keys that there are and were')
  .option('--json', 'as JSON')
  .action((options: { json?: boolean }) =>
    run(async (config) => (await import('./keys/list.ts')).listKeysCommand(config, output, options))(),
  );
keys
  .command('revoke')
  .description('end a key at once, on every gateway that reads the same store')
  .argument('<key>', 'its id or name')
  .action((named: string) =>
    run(async (config) => (await import('./keys/revoke.ts')).revokeKeyCommand(config, output, named))(),
  );

/**
 * Runs a command with the settings; its failures become sentences on standard error and an exit code.
 *
 * @param warnings where those about settings go: to the command's own log, or to standard error
 */
function run(
  command: (config: Config) => Promise<number>,
  warnings: 'log' | 'err' = 'err',
): () => Promise<void> {
  return async () => {
    try {
      process.exitCode = await command(settings(warnings));
    } catch (error) {
      output.err(`${explainFailure(error)}\n`);
      process.exitCode = 1;
    }
  };
}

/** The settings. Where they can't be used, the warnings are told as well: what is missing may be there under another name. */
function settings(warnings: 'log' | 'err'): Config {
  const warn = () => {
    for (const warning of settingWarnings()) output.err(`warning: ${warning}\n`);
  };
  try {
    const config = readConfig();
    if (warnings === 'err') warn();
    return config;
  } catch (error) {
    warn();
    throw error;
  }
}

program.exitOverride();
try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode;
}
