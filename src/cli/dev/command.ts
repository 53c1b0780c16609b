import type { Command } from 'commander';
import type { CommandTools } from '../options/command-tools.ts';
import { wholeNumber } from '../options/option-values.ts';
import { addExamples } from '../output/help.ts';
import { packageNotice } from '../output/package-notice.ts';
import type { DevOptions } from './dev.ts';

const maxRows = 1_000_000;
const maxSeed = 2 ** 31 - 1;

export function addDevCommand(program: Command, { output, run }: CommandTools): void {
  const command = program
    .command('dev')
    .summary('Serve the endpoints while you write them')
    .description(
      'Serve the endpoints while you write them, over your rows or, without any, over rows made up from the sources',
    )
    .option(
      '--rows <n>',
      'make up so many rows of each source; 0 serves the rows in DATA_DIR (default: 2000, if DATA_DIR has no rows)',
      wholeNumber(maxRows),
    )
    .option(
      '--seed <n>',
      'make up other rows; the same number gives the same rows (default: 1)',
      wholeNumber(maxSeed),
    )
    .action((options: DevOptions) =>
      run(async (config, warnings) => {
        output.err(packageNotice(config, process.cwd()) ?? '');
        const { devCommand } = await import('./dev.ts');
        return devCommand(config, { ...output, terminal: process.stderr, warnings }, options);
      }, 'log'),
    );
  addExamples(command, [
    ['dev'],
    ['dev --rows 100000', 'Many made-up rows, whatever DATA_DIR has'],
    ['dev --rows 0', 'Only the rows in DATA_DIR'],
  ]);
}
