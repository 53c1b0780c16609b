import type { Command } from 'commander';
import type { CommandTools } from '../options/command-tools.ts';
import { addExamples } from '../output/help.ts';

interface DoctorOptions {
  readonly dataDir?: string;
  readonly backup?: string;
  readonly repair?: boolean;
  readonly json?: boolean;
}

export function addDoctorCommand(program: Command, { run, output }: CommandTools): void {
  const command = program
    .command('doctor')
    .summary('Examine a store or a backup, and repair it')
    .description(
      'Read everything in a store that no gateway has open, or in a backup, and say what is damaged and lost: exit code 0 or 1',
    )
    .option('--data-dir <folder>', 'folder of the store (default: DATA_DIR)')
    .option('--backup <file>', 'examine this backup, and not the store')
    .option('--repair', 'save what can be saved; files that are changed are kept under another name')
    .option('--json', 'print one JSON document: findings, notes, rows and kept files')
    .action((options: DoctorOptions) =>
      run(async (config) => (await import('./doctor.ts')).doctorCommand(options, config, output)),
    );
  addExamples(command, [
    ['doctor'],
    ['doctor --repair', 'Make a store that does not open usable again'],
    ['doctor --backup store.backup', 'Whether a backup can be restored'],
  ]);
}
