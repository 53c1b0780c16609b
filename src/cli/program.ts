import { Command, CommanderError, Option } from 'commander';
import type { KeyOptions } from '../access/key/key-options.ts';
import { explainFailure } from '../app/explain-failure.ts';
import type { Output } from '../app/output.ts';
import { type Config, engines, readConfig, settingWarnings } from '../config.ts';
import type { CommandTools } from './command-tools.ts';
import type { ExplainOptions } from './explain.ts';
import type { ExportOptions } from './export.ts';
import { addHealthCommand } from './health/command.ts';
import type { TokenOptions } from './keys/token.ts';
import type { DeleteOptions } from './rows/delete.ts';

// Files are private to this user: DuckDB creates files of rows with the process's default mode. Commands that write
// files for others restore the user's umask.
const umaskOfUser = process.umask(0o077);

const output: Output = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

const tools: CommandTools = {
  output,
  run: async (command, warnings = 'err') => {
    try {
      process.exitCode = await command(settings(warnings));
    } catch (error) {
      output.err(`${explainFailure(error)}\n`);
      process.exitCode = 1;
    }
  },
  shareFiles: () => void process.umask(umaskOfUser),
};
const { run, shareFiles } = tools;

const program = new Command('gateway').description(
  'Serves stored, parameterised GoogleSQL queries as REST and GraphQL endpoints.',
);
const list = (item: string, before: readonly string[] = []) => [...before, item];
// Each command loads only its own modules, which keeps the start fast.
program
  .command('serve')
  .description('Serve the endpoints on DuckDB or BigQuery')
  .option('--watch', 'reload endpoints and sources when their files change')
  .action((options: { watch?: boolean }) =>
    run(async (config) => (await import('./serve.ts')).serveCommand(config, output, options), 'log'),
  );
program
  .command('demo')
  .description('Serve made-up log rows of a few example projects, and keep adding rows')
  .addOption(
    new Option('--engine <engine>', 'run queries on the embedded engine or on an emulated BigQuery').choices(
      engines,
    ),
  )
  .action((options: { engine?: Config['engine'] }) =>
    run(async (config) => {
      const { demoCommand } = await import('./demo/demo.ts');
      return demoCommand(config, { ...output, terminal: process.stderr }, options);
    }, 'log'),
  );
program
  .command('mcp')
  .description('Serve the endpoints to an agent over standard input and output (Model Context Protocol)')
  .action(() => run(async (config) => (await import('./mcp.ts')).mcpCommand(config, output), 'log'));
program
  .command('check')
  .description('Check all endpoints against the sources; needs no data')
  .option('--against <file>', 'also report changes that break clients of this printed GraphQL schema')
  .option('--engine', 'also check with BigQuery: bytes that each endpoint would read, types and tables')
  .action((options: { against?: string; engine?: boolean }) =>
    run(async (config) => (await import('./check.ts')).checkCommand(config, output, options)),
  );
program
  .command('schema')
  .description('Print the GraphQL schema of the endpoints; needs no data')
  .option('--output <file>', 'write the schema to a file')
  .action((options: { output?: string }) =>
    run(async (config) => {
      shareFiles();
      return (await import('./schema.ts')).schemaCommand(config, output, options);
    }),
  );
program
  .command('lql')
  .description('Translate an LQL query to GoogleSQL; needs no data')
  .argument('<text>', "LQL query, such as 'f:edge_logs error t:last@1h'")
  // A text may begin with a minus.
  .allowUnknownOption()
  .requiredOption('--endpoint <endpoint>', 'name or id of the endpoint whose tables the query reads')
  .action((text: string, options: { endpoint: string }) =>
    run(async (config) => (await import('./lql.ts')).lqlCommand(config, output, text, options)),
  );
program
  .command('explain')
  .description('Print the SQL that the engine would run for a call of an endpoint')
  .argument('<endpoint>', 'name or id of the endpoint')
  .option('--param <name=value>', 'parameter of the call; repeatable', list)
  .option('--sql <query>', "ad-hoc query over the endpoint's tables, instead of the stored query")
  .option('--plan', 'also print DuckDB’s query plan; opens the store, so no gateway may be running on it')
  .action((endpoint: string, options: ExplainOptions) =>
    run(async (config) => (await import('./explain.ts')).explainCommand(config, output, endpoint, options)),
  );
program
  .command('import')
  .description(
    'Import rows from NDJSON, JSON arrays, CSV (each plain or gzip) or Parquet files into a source',
  )
  .argument('<source>', 'name or alias of the source, such as edge_logs')
  .argument('<files...>', 'files to import; each is imported completely or not at all')
  .option('--skip-bad-rows', 'import valid rows, and write invalid rows to a file')
  .option('--rejects <file>', 'file for invalid rows (default: <file>.rejects.ndjson)')
  .action((source: string, files: string[], options: { skipBadRows?: boolean; rejects?: string }) =>
    run(async (config) => (await import('./import.ts')).importCommand({ source, files, ...options }, config)),
  );
program
  .command('backup')
  .description('Write a backup of the store to a file, while a gateway may use the store')
  .argument('<file>', 'file to write; its name appears when the backup is complete and verified')
  .option('--rate <rate>', 'bytes per second to copy and verify at most (default: 50MB/s)')
  .option('--force', 'replace an existing file')
  .action((file: string, options: { rate?: string; force?: boolean }) =>
    run(async (config) => (await import('./backup.ts')).backupCommand(file, options, config)),
  );
program
  .command('restore')
  .description('Restore a backup into DATA_DIR, which must be missing or empty')
  .argument('<file>', 'backup, as written by `backup`')
  .action((file: string) =>
    run(async (config) => (await import('./restore.ts')).restoreCommand(file, config)),
  );
program
  .command('export')
  .description('Write the rows of a source, in the order of time, in a format that `import` reads')
  .argument('<source>', 'name or alias of the source')
  .option('--from <time>', 'time of the first row, such as 2026-11-20 or 2026-11-20T08:30:00Z')
  .option('--to <time>', 'time before which the last row is')
  .addOption(
    new Option('--format <format>', 'format (default: that of the name of the file, else ndjson)').choices([
      'ndjson',
      'parquet',
    ]),
  )
  .option('--output <file>', 'file to write; - is standard output (default)')
  .option('--force', 'replace an existing file')
  .action((source: string, options: ExportOptions) =>
    run(async (config) => (await import('./export.ts')).exportCommand(source, options, config)),
  );
const rows = program.command('rows').description('Manage the rows of the store');
rows
  .command('delete')
  .description('Delete rows of a source: through the gateway that has the store, or in the store itself')
  .argument('<source>', 'name or alias of the source')
  .option(
    '--before <time>',
    'rows before this time (2026-11-20, 2026-11-20T08:30:00Z) or of this age (30d, 12h)',
  )
  .option('--where <condition>', 'rows that meet this condition, an expression in GoogleSQL')
  .option('--dry-run', 'only count the rows')
  .option('--yes', 'do not ask')
  .action((source: string, options: DeleteOptions) =>
    run(async (config) => (await import('./rows/delete.ts')).deleteRowsCommand(source, options, config)),
  );
const sources = program.command('sources').description('Manage source schemas');
sources
  .command('pull')
  .description('Write the schemas of BigQuery tables to source files')
  .argument('[names...]', 'names of sources (default: the existing sources, or all tables of the dataset)')
  .option('--output <folder>', 'folder to write to (default: the folder of the sources)')
  .action((names: string[], options: { output?: string }) =>
    run(async (config) => {
      shareFiles();
      return (await import('./sources/pull.ts')).pullCommand(config, output, names, options);
    }),
  );
sources
  .command('show')
  .description('Print the sources, or one source with its fields, including added ones; needs no data')
  .argument('[source]', 'name or alias of the source')
  .option('--json', 'print the source as a source file')
  .action((named: string | undefined, options: { json?: boolean }) =>
    run(async (config) => (await import('./sources/show.ts')).showCommand(config, output, named, options)),
  );
sources
  .command('infer')
  .description('Propose a source file for the rows of a file')
  .argument('<file>', 'NDJSON, JSON array or CSV (.csv, .tsv), each plain or gzip; - is standard input')
  .action((file: string) => run(async () => (await import('./sources/infer.ts')).inferCommand(file, output)));

const keys = program.command('keys').description('Manage API keys');
keys
  .command('create')
  .description('Create a key and print it to standard output; it is shown only once')
  .requiredOption('--name <who>', 'owner of the key, shown in logs and budgets, and used by `keys revoke`')
  .option('--endpoints <names>', 'allow only these endpoints, by name or id, comma-separated', list)
  .option('--projects <refs>', 'allow only these values of the parameter `project`, comma-separated', list)
  .option('--pin <name=value>', 'allow only this value of another parameter; repeatable', list)
  .option('--scopes <scopes>', 'permissions: query, write, admin (default: query)', list)
  .option('--expires <when>', 'expiry: 90d, 12h or 2026-12-31 (default: never)')
  .option('--redact', 'always redact rows')
  .option('--rate <rate>', 'rate limit: 10/s, 600/m or 5000/h')
  .option('--bytes-per-day <bytes>', 'bytes that its queries may be billed per day (UTC): 5000000 or 100GB')
  .action((options: KeyOptions) =>
    run(async (config) => (await import('./keys/create.ts')).createKeyCommand(config, output, options)),
  );
keys
  .command('token')
  .description('Make a JSON Web Token for trying, signed with JWT_SECRET')
  .requiredOption('--subject <who>', 'bearer of the token, shown in logs')
  .option('--endpoints <names>', 'allow only these endpoints, by name or id, comma-separated', list)
  .option('--projects <refs>', 'allow only these values of the parameter `project`, comma-separated', list)
  .option('--pin <name=value>', 'allow only this value of another parameter; repeatable', list)
  .option('--expires <when>', 'expiry: 30m, 12h or 2026-12-31 (default: 30m)')
  .option('--redact', 'always redact rows')
  .option('--rate <rate>', 'rate limit: 10/s, 600/m or 5000/h')
  .option('--bytes-per-day <bytes>', 'bytes that its queries may be billed per day (UTC): 5000000 or 100GB')
  .action((options: TokenOptions) =>
    run(async (config) => (await import('./keys/token.ts')).tokenCommand(config, output, options)),
  );
keys
  .command('list')
  .description('List all keys, including expired and revoked ones')
  .option('--json', 'print JSON')
  .action((options: { json?: boolean }) =>
    run(async (config) => (await import('./keys/list.ts')).listKeysCommand(config, output, options)),
  );
keys
  .command('revoke')
  .description('Revoke a key immediately, on every gateway that shares the key store')
  .argument('<key>', 'id or name of the key')
  .action((named: string) =>
    run(async (config) => (await import('./keys/revoke.ts')).revokeKeyCommand(config, output, named)),
  );
addHealthCommand(program, tools);

/** Reads the settings. If they are invalid, prints the warnings as well: a missing setting may be misspelt. */
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
