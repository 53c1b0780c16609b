import { type Command, Option } from 'commander';
import { engineNames } from '../../app/engines/registry.ts';
import type { CommandTools } from '../options/command-tools.ts';
import { withEngine } from '../options/option-values.ts';
import { addExamples } from '../output/help.ts';
import { type DiffOptions, reportFormats, rowsToRun } from './diff-options.ts';

export function addDiffCommand(program: Command, { run, output }: CommandTools): void {
  const command = program
    .command('diff')
    .summary('Compare the answers of endpoints with those before')
    .description(
      'Tell what changed in the meaning of endpoints since a git revision or from another folder, whether their answers can differ, and in which rows they do',
    )
    .argument(
      '<revision or folder>',
      'what to compare with: a git revision, or a folder with endpoints and sources',
    )
    .argument('[endpoints...]', 'names or ids of endpoints (default: all)')
    .addOption(
      new Option(
        '--rows <rows>',
        'rows on which both versions are run: those of the tests, those in DATA_DIR or on BigQuery, both, or none (default: both; on BigQuery, tests and a dry run)',
      ).choices(rowsToRun),
    )
    .option(
      '--replay <file>',
      'also run the calls in this file of NDJSON: a request log with query strings, or recorded parameters',
    )
    .addOption(new Option('--format <format>', 'form of the report').choices(reportFormats).default('text'))
    .addOption(new Option('--json', 'the same as --format json').conflicts('format'))
    .option('--show <rows>', 'how many rows of a call are shown', '10')
    .option(
      '--now <time>',
      'time that queries take for the current one, on the rows in DATA_DIR and in tests that do not say it',
    )
    .addOption(new Option('--engine <engine>', 'engine, instead of that in ENGINE').choices(engineNames()))
    .action((from: string, endpoints: string[], options: DiffOptions) =>
      run(async (config) => {
        const { diffCommand } = await import('./diff.ts');
        return diffCommand(withEngine(config, options), output, from, endpoints, options);
      }),
    );
  addExamples(command, [
    ['diff HEAD', 'What the changes that are not committed do'],
    ['diff origin/main --format markdown > diff.md', 'For a pull request'],
    ['diff v1.4 orders.by-day --rows data --replay calls.ndjson'],
    ['diff ../deployed --rows none', 'Against another folder, without running anything'],
  ]);
}
