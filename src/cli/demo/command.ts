import { type Command, Option } from 'commander';
import { engineNames } from '../../app/engines/registry.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { CommandTools } from '../options/command-tools.ts';
import { addExamples } from '../output/help.ts';

export function addDemoCommand(program: Command, { run, output }: CommandTools): void {
  const command = program
    .command('demo')
    .summary('Serve made-up log rows, to look around')
    .description('Serve made-up log rows of a few example projects, and keep adding rows')
    .addOption(
      new Option(
        '--engine <engine>',
        'run queries on the embedded engine or on an emulated BigQuery',
      ).choices(engineNames()),
    )
    .action((options: { engine?: Config['engine'] }) =>
      run(async (config, warnings) => {
        const { demoCommand } = await import('./demo.ts');
        return demoCommand(config, { ...output, terminal: process.stderr, warnings }, options);
      }, 'log'),
    );
  addExamples(command, [['demo'], ['demo --engine bigquery', 'Run queries on an emulated BigQuery']]);
}
