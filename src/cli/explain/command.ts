import { type Command, Option } from 'commander';
import { engineNames } from '../../app/engines/registry.ts';
import type { CommandTools } from '../options/command-tools.ts';
import { repeatable, withEngine } from '../options/option-values.ts';
import { addExamples } from '../output/help.ts';
import type { ExplainOptions } from './explain.ts';

export function addExplainCommand(program: Command, { run, output }: CommandTools): void {
  const command = program
    .command('explain')
    .summary('Show the types, the tables and the SQL of a call')
    .description(
      'Print the parameters and columns of an endpoint, the tables that it reads, and the SQL that the engine would run for a call, without running it; needs no data',
    )
    .argument('<endpoint>', 'name or id of the endpoint')
    .option('--param <name=value>', 'parameter of the call; repeatable', repeatable)
    .addOption(
      new Option(
        '--sql <query>',
        "ad-hoc query over the endpoint's tables, in GoogleSQL, instead of the stored query",
      ).conflicts('lql'),
    )
    .option('--lql <query>', 'the same in LQL')
    .option('--plan', 'also print DuckDB’s query plan; opens the store, so no gateway may be running on it')
    .option(
      '--cost',
      'also print how many bytes the query would read; on DuckDB, opens the store as --plan does',
    )
    .option('--json', 'print JSON')
    .addOption(new Option('--engine <engine>', 'engine, instead of that in ENGINE').choices(engineNames()))
    .action((endpoint: string, options: ExplainOptions) =>
      run(async (config) => {
        const { explainCommand } = await import('./explain.ts');
        return explainCommand(withEngine(config, options), output, endpoint, options);
      }),
    );
  addExamples(command, [
    ['explain usage.api-counts --param interval=minutely --param project=fjrqomtzlwkgbxhvnuea'],
    [
      "explain logs.all --param project=fjrqomtzlwkgbxhvnuea --sql 'SELECT id FROM edge_logs' --json",
      'An ad-hoc query, for programs',
    ],
  ]);
}
