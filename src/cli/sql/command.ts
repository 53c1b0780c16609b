import { text } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import { tablesEndpoint } from '../../definitions/endpoints/tables-endpoint.ts';
import type { CommandTools } from '../options/command-tools.ts';
import { addExamples } from '../output/help.ts';
import { outputFormats, type RunOptions } from '../run/run-options.ts';

export function addSqlCommand(program: Command, { run, output }: CommandTools): void {
  const command = program
    .command('sql')
    .summary('Query the sources, and print the rows')
    .description(
      'Run a query in GoogleSQL over all sources, and print its rows: over the rows in DATA_DIR or on BigQuery, or on a gateway. The sources are tables, as in endpoints: logs.<source>. Without a query, print their names',
    )
    .argument('[query]', 'the query; - reads it from standard input')
    .addOption(new Option('--format <format>', 'form of the rows').choices(outputFormats).default('table'))
    .addOption(new Option('--json', 'the same as --format json').conflicts('format'))
    .option(
      '--now <time>',
      'time that the query takes for the current one: 2026-11-20T08:30:00Z, or 30d, 12h ago',
    )
    .addOption(
      new Option('--server <url>', 'gateway to call, instead of using files (default: SERVER_URL)').conflicts(
        'now',
      ),
    )
    .addOption(
      new Option(
        '--key <key>',
        'API key for that gateway, with the scope tables; others may see it in the list of processes (default: SERVER_KEY)',
      ).conflicts('now'),
    )
    .option('--quiet', 'do not print the number of rows')
    .action((query: string | undefined, options: Omit<RunOptions, 'sql'>) =>
      run(async (config) => {
        const { runCommand } = await import('../run/run.ts');
        const sql = query === '-' ? await text(process.stdin) : query;
        return runCommand(tablesEndpoint, { ...options, ...(sql !== undefined && { sql }) }, config, {
          stdout: process.stdout,
          err: output.err,
        });
      }),
    );
  addExamples(command, [
    ["sql 'SELECT COUNT(*) AS n FROM logs.edge_logs'"],
    ["sql 'SELECT * FROM logs.edge_logs' --format parquet > edge_logs.parquet"],
    ['sql -', 'A query that comes on standard input'],
  ]);
}
