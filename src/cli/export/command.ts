import { type Command, Option } from 'commander';
import type { CommandTools } from '../options/command-tools.ts';
import { addExamples } from '../output/help.ts';
import type { ExportOptions } from './export.ts';

export function addExportCommand(program: Command, { run }: CommandTools): void {
  const command = program
    .command('export')
    .summary('Export the rows of a source')
    .description('Write the rows of a source, in the order of time, in a format that `import` reads')
    .argument('<source>', 'name or alias of the source')
    .option('--from <time>', 'time of the first row (2026-11-20, 2026-11-20T08:30:00Z), or its age (7d, 12h)')
    .option('--to <time>', 'time before which the last row is, or its age')
    .addOption(
      new Option('--format <format>', 'format (default: that of the name of the file, else ndjson)').choices([
        'ndjson',
        'csv',
        'parquet',
        'arrow',
      ]),
    )
    .option('--output <file>', 'file to write; - is standard output (default)')
    .option('--force', 'replace an existing file')
    .action((source: string, options: ExportOptions) =>
      run(async (config) => (await import('./export.ts')).exportCommand(source, options, config)),
    );
  addExamples(command, [
    ['export edge_logs --output edge_logs.parquet'],
    ['export edge_logs --from 2026-11-20 --to 2026-11-21 | gzip > day.ndjson.gz', 'One day, compressed'],
  ]);
}
