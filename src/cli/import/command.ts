import type { Command } from 'commander';
import type { CommandTools } from '../options/command-tools.ts';
import { formatOption } from '../options/format-option.ts';
import { addExamples } from '../output/help.ts';
import type { ImportArguments } from './import.ts';

export function addImportCommand(program: Command, { run }: CommandTools): void {
  const command = program
    .command('import')
    .summary('Import rows from files into a source')
    .description(
      'Import rows into a source from NDJSON, JSON arrays, CSV, Parquet, and logs: access logs, logfmt, syslog and plain lines; texts can be compressed with gzip or zstd, and in UTF-8 or UTF-16',
    )
    .argument('<source>', 'name or alias of the source, such as edge_logs')
    .argument(
      '<files...>',
      'files to import, or patterns such as "logs/*.gz"; - is standard input; each file is imported completely or not at all',
    )
    .addOption(formatOption())
    .option(
      '--zone <zone>',
      'time zone of times without an offset, such as Europe/Berlin or +02:00 (default: UTC)',
    )
    .option('--dry-run', 'show the columns, the first rows and what would be rejected, and import nothing')
    .option('--skip-bad-rows', 'import valid rows, and write invalid rows to a file')
    .option('--rejects <file>', 'file for invalid rows (default: <file>.rejects.ndjson)')
    .option(
      '--replace',
      'put the rows of the file in the place of all rows of a reference table, in one commit',
    )
    .action((source: string, files: string[], options: Omit<ImportArguments, 'source' | 'files'>) =>
      run(async (config) =>
        (await import('./import.ts')).importCommand({ source, files, ...options }, config),
      ),
    );
  addExamples(command, [
    ['import edge_logs rows.ndjson more.csv.gz'],
    ['import access "logs/access.log*" --dry-run', 'See what would be imported'],
    ['import edge_logs rows.ndjson --skip-bad-rows --rejects rejects.ndjson', 'Keep invalid rows in a file'],
    ['import products products.csv --replace', 'Replace all rows of a table without times'],
  ]);
}
