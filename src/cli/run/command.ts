import { type Command, Option } from 'commander';
import { engineNames } from '../../app/engines/registry.ts';
import type { CommandTools } from '../options/command-tools.ts';
import { repeatable } from '../options/option-values.ts';
import { addExamples } from '../output/help.ts';
import type { RunOptions } from './run-options.ts';
import { outputFormats } from './run-options.ts';

export function addRunCommand(program: Command, { run, output }: CommandTools): void {
  const command = program
    .command('run')
    .summary('Run an endpoint, and print its rows')
    .description(
      'Run an endpoint, and print its rows: over the rows in DATA_DIR or on BigQuery, with the files in ENDPOINTS_DIR and SOURCES_DIR, or on a gateway',
    )
    .argument('<endpoint>', 'name or id of the endpoint')
    .option('--param <name=value>', 'parameter of the call; repeatable', repeatable)
    .addOption(
      new Option('--sql <query>', "ad-hoc query over the endpoint's tables, in GoogleSQL").conflicts('lql'),
    )
    .option('--lql <query>', 'the same in LQL')
    .addOption(new Option('--format <format>', 'form of the rows').choices(outputFormats).default('table'))
    .addOption(new Option('--json', 'the same as --format json').conflicts('format'))
    .option(
      '--now <time>',
      'time that the query takes for the current one: 2026-11-20T08:30:00Z, or 30d, 12h ago',
    )
    .addOption(new Option('--engine <engine>', 'engine, instead of that in ENGINE').choices(engineNames()))
    .addOption(
      new Option('--server <url>', 'gateway to call, instead of using files (default: SERVER_URL)').conflicts(
        ['now', 'engine'],
      ),
    )
    .addOption(
      new Option(
        '--key <key>',
        'API key for that gateway; others may see it in the list of processes (default: SERVER_KEY)',
      ).conflicts(['now', 'engine']),
    )
    .option('--quiet', 'do not print the number of rows')
    .action((endpoint: string, options: RunOptions) =>
      run(async (config) => {
        const { runCommand } = await import('./run.ts');
        return runCommand(endpoint, options, config, {
          stdout: process.stdout,
          err: output.err,
        });
      }),
    );
  addExamples(command, [
    ['run usage.api-counts --param interval=minutely --param project=fjrqomtzlwkgbxhvnuea'],
    ["run logs.all --param project=fjrqomtzlwkgbxhvnuea --lql 'f:edge_logs error' --format csv > errors.csv"],
    [
      'run logs.all --param project=fjrqomtzlwkgbxhvnuea --server http://127.0.0.1:4000',
      'On a gateway, with the key in SERVER_KEY',
    ],
  ]);
}
