import type { Command } from 'commander';
import type { CommandTools } from '../options/command-tools.ts';
import { addExamples } from '../output/help.ts';

export function addRestoreCommand(program: Command, { run }: CommandTools): void {
  const command = program
    .command('restore')
    .summary('Restore a backup into an empty DATA_DIR')
    .description('Restore a backup into DATA_DIR, which must be missing or empty')
    .argument('<file>', 'backup, as written by `backup`')
    .action((file: string) =>
      run(async (config) => (await import('./restore.ts')).restoreCommand(file, config)),
    );
  addExamples(command, [['restore store.backup']]);
}
