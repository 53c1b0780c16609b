import type { Command } from 'commander';
import type { CommandTools } from '../options/command-tools.ts';
import { addExamples } from '../output/help.ts';
import type { InitOptions } from './init.ts';

export function addInitCommand(program: Command, { output, run, shareFiles }: CommandTools): void {
  const command = program
    .command('init')
    .summary('Make a project with a first endpoint')
    .description('Make a project: a first endpoint with its test, a source, settings and a CI example')
    .argument('[folder]', 'folder of the project (default: the current one); files in it stay')
    .option('--name <name>', 'name in package.json (default: that of the folder)')
    .action((folder: string | undefined, options: InitOptions) =>
      run(async (config) => {
        shareFiles();
        return (await import('./init.ts')).initCommand(config, output, folder, options);
      }),
    );
  addExamples(command, [['init'], ['init shop --name shop-endpoints']]);
}
