import { type Command, Option } from 'commander';
import { engineNames } from '../../app/engines/registry.ts';
import { defaultEngine } from '../../definitions/settings/config.ts';
import { interruptible } from '../engine/interruptible.ts';
import type { CommandTools } from '../options/command-tools.ts';
import { percent } from '../options/option-values.ts';
import { addExamples } from '../output/help.ts';
import { packageNotice } from '../output/package-notice.ts';
import { reporters, type TestOptions } from './options.ts';

/** Declares `test`. */
export function addTestCommand(program: Command, { output, run, shareFiles }: CommandTools): void {
  const command = program
    .command('test')
    .summary('Run the tests of endpoints')
    .description('Run the tests of endpoints (`<endpoint>.test.yaml`) on the embedded engine; needs no data')
    .argument('[endpoints...]', 'names, ids or files of endpoints (default: all that have tests)')
    .option('--filter <text>', 'run only cases whose name contains this text, or matches this /pattern/')
    .option('--watch', 'rerun the tests that a change of files affects')
    .option('--update', 'write the actual rows of failed cases into the test files')
    .addOption(
      new Option('--reporter <reporter>', 'format of the report').choices(reporters).default('default'),
    )
    .addOption(new Option('--json', 'the same as --reporter json').conflicts('reporter'))
    .option('--output <file>', 'write the report to a file, and the default report to standard output')
    .option('--quiet', 'print only errors and failed cases')
    .option('--coverage', 'report which parameters, branches and columns the cases cover')
    .option('--min-coverage <percent>', 'fail if less is covered', percent)
    .option(
      '--now <time>',
      'time that the clock shows to cases without `now`: 2026-11-20T08:30:00Z, or 30d, 12h ago (default: 2026-01-01)',
    )
    .addOption(
      new Option('--engine <engine>', 'engine that runs the cases')
        .choices(engineNames())
        .default(defaultEngine),
    )
    .option('--dry-run', 'with --engine bigquery: let BigQuery check the queries, and run nothing')
    .action((endpoints: string[], options: TestOptions) =>
      run(async (config) => {
        shareFiles();
        output.err(packageNotice(config, process.cwd()) ?? '');
        const { testCommand } = await import('./test-command.ts');
        const terminal = { ...output, hasColours: process.stdout.hasColors?.() === true };
        return interruptible((signal) =>
          testCommand(config, terminal, endpoints, options, { signal, environment: process.env }),
        );
      }),
    );
  addExamples(command, [
    ['test'],
    ['test usage.api-counts --watch'],
    ["test --filter '/hour/' --coverage"],
    ['test --reporter junit --output report.xml'],
  ]);
}
