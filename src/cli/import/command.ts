import type { Command } from 'commander';
import type { CommandTools } from '../options/command-tools.ts';
import { addExamples } from '../output/help.ts';

interface ImportOptions {
  readonly skipBadRows?: boolean;
  readonly rejects?: string;
  readonly replace?: boolean;
}

export function addImportCommand(program: Command, { run }: CommandTools): void {
  const command = program
    .command('import')
    .summary('Import rows from files into a source')
    .description(
      'Import rows from NDJSON, JSON arrays, CSV (each plain or gzip) or Parquet files into a source',
    )
    .argument('<source>', 'name or alias of the source, such as edge_logs')
    .argument('<files...>', 'files to import; each is imported completely or not at all')
    .option('--skip-bad-rows', 'import valid rows, and write invalid rows to a file')
    .option('--rejects <file>', 'file for invalid rows (default: <file>.rejects.ndjson)')
    .option(
      '--replace',
      'put the rows of the file in the place of all rows of a reference table, in one commit',
    )
    .action((source: string, files: string[], options: ImportOptions) =>
      run(async (config) =>
        (await import('./import.ts')).importCommand({ source, files, ...options }, config),
      ),
    );
  addExamples(command, [
    ['import edge_logs rows.ndjson more.csv.gz'],
    ['import edge_logs rows.ndjson --skip-bad-rows --rejects rejects.ndjson', 'Keep invalid rows in a file'],
    ['import products products.csv --replace', 'Replace all rows of a table without times'],
  ]);
}
