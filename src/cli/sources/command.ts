import { type Command, Option } from 'commander';
import type { CommandTools } from '../options/command-tools.ts';
import { formatOption } from '../options/format-option.ts';
import { addExamples } from '../output/help.ts';
import type { ChangesOptions } from './changes.ts';
import type { InferOptions } from './infer.ts';

export function addSourcesCommand(program: Command, { run, output, shareFiles }: CommandTools): void {
  const sources = program
    .command('sources')
    .description('Show, infer and pull source schemas, and apply their changes');
  const pull = sources
    .command('pull')
    .summary('Write the schemas of BigQuery tables to files')
    .description('Write the schemas of BigQuery tables to source files')
    .argument('[names...]', 'names of sources (default: the existing sources, or all tables of the dataset)')
    .option('--output <folder>', 'folder to write to (default: the folder of the sources)')
    .action((names: string[], options: { output?: string }) =>
      run(async (config) => {
        shareFiles();
        return (await import('./pull.ts')).pullCommand(config, output, names, options);
      }),
    );
  const show = sources
    .command('show')
    .summary('Print the sources, or the fields of one')
    .description('Print the sources, or one source with its fields, including added ones; needs no data')
    .argument('[source]', 'name or alias of the source')
    .option('--json', 'print the source as a source file')
    .action((named: string | undefined, options: { json?: boolean }) =>
      run(async (config) => (await import('./show.ts')).showCommand(config, output, named, options)),
    );
  const infer = sources
    .command('infer')
    .summary('Propose a source file for rows')
    .description('Propose a source file for the rows of a file')
    .argument(
      '<file>',
      'NDJSON, JSON array, CSV, Parquet, or log (access log, logfmt, syslog, plain lines), plain, gzip or zstd; - is standard input',
    )
    .addOption(formatOption())
    .action((file: string, options: InferOptions) =>
      run(async () => (await import('./infer.ts')).inferCommand(file, options, output)),
    );
  const dropOption = () =>
    new Option(
      '--drop <column...>',
      'drop the values of a removed column (source.record.field), or the rows of a source without a file',
    );
  const plan = sources
    .command('plan')
    .summary('Show what a start with the present files does to stored rows')
    .description(
      'Show what a start with the present files does to stored rows, with rows and time; changes nothing',
    )
    .addOption(dropOption())
    .option('--json', 'print one JSON document')
    .action((options: ChangesOptions) =>
      run(async (config) => (await import('./changes.ts')).planCommand(config, output, options)),
    );
  const apply = sources
    .command('apply')
    .summary('Let the store follow the present files')
    .description('Let the store follow the present files: in the gateway that has it, or in the store itself')
    .addOption(dropOption())
    .option('--json', 'print one JSON document')
    .action((options: ChangesOptions) =>
      run(async (config) => (await import('./changes.ts')).applyCommand(config, output, options)),
    );
  addExamples(plan, [
    ['sources plan'],
    ['sources plan --drop orders.note', 'What dropping a column would do'],
  ]);
  addExamples(apply, [['sources apply'], ['sources apply --drop orders.note orders.items.colour']]);
  addExamples(pull, [['sources pull'], ['sources pull edge_logs --output sources']]);
  addExamples(show, [['sources show'], ['sources show edge_logs --json']]);
  addExamples(infer, [['sources infer rows.ndjson > sources/orders.json']]);
}
