import type { Command } from 'commander';
import type { CommandTools } from '../options/command-tools.ts';
import { addExamples } from '../output/help.ts';

export function addNewCommand(program: Command, { run, output, shareFiles }: CommandTools): void {
  const make = program
    .command('new')
    .summary('Make an endpoint or a source')
    .description('Make the files of an endpoint or a source');
  const endpoint = make
    .command('endpoint')
    .summary('Make an endpoint with its test')
    .description('Make an endpoint over a source, with its test; no existing file is replaced')
    .argument('<name>', 'name of the endpoint, and of its files')
    .option('--source <name>', 'source that it reads (default: the first one)')
    .action((name: string, options: { source?: string }) =>
      run(async (config) => {
        shareFiles();
        return (await import('./new-endpoint.ts')).newEndpointCommand(name, options, config, output);
      }),
    );
  addExamples(endpoint, [['new endpoint orders.latest --source orders']]);
  const source = make
    .command('source')
    .summary('Make a source')
    .description('Make the schema of a source; no existing file is replaced')
    .argument('<name>', 'name of the source: letters, digits and _')
    .option('--from <file>', 'infer the schema from these rows, as `sources infer` does')
    .action((name: string, options: { from?: string }) =>
      run(async (config) => {
        shareFiles();
        return (await import('./new-source.ts')).newSourceCommand(name, options, config, output);
      }),
    );
  addExamples(source, [
    ['new source orders'],
    ['new source orders --from rows.ndjson', 'With the columns of rows'],
  ]);
}
