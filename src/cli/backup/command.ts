import type { Command } from 'commander';
import type { CommandTools } from '../options/command-tools.ts';
import { addExamples } from '../output/help.ts';

export function addBackupCommand(program: Command, { run, lowerPriority }: CommandTools): void {
  const command = program
    .command('backup')
    .summary('Back up the store, while it may be in use')
    .description('Write a backup of the store to a file, while a gateway may use the store')
    .argument('<file>', 'file to write; its name appears when the backup is complete and verified')
    .option('--rate <rate>', 'bytes per second to copy and verify at most (default: 50MB/s)')
    .option('--force', 'replace an existing file')
    .action((file: string, options: { rate?: string; force?: boolean }) =>
      run(async (config) => {
        lowerPriority();
        return (await import('./backup.ts')).backupCommand(file, options, config);
      }),
    );
  addExamples(command, [
    ['backup store.backup'],
    ['backup store.backup --force --rate 100MB/s', 'Replace the last backup, faster'],
  ]);
}
