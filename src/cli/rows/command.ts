import type { Command } from 'commander';
import type { CommandTools } from '../options/command-tools.ts';
import { addExamples } from '../output/help.ts';
import type { DeleteOptions } from './delete.ts';

export function addRowsCommand(program: Command, { run }: CommandTools): void {
  const rows = program.command('rows').description('Delete rows');
  const remove = rows
    .command('delete')
    .summary('Delete rows of a source')
    .description('Delete rows of a source: through the gateway that has the store, or in the store itself')
    .argument('<source>', 'name or alias of the source')
    .option(
      '--before <time>',
      'rows before this time (2026-11-20, 2026-11-20T08:30:00Z) or of this age (30d, 12h)',
    )
    .option('--where <condition>', 'rows that meet this condition, an expression in GoogleSQL')
    .option('--dry-run', 'only count the rows')
    .option('--yes', 'do not ask')
    .action((source: string, options: DeleteOptions) =>
      run(async (config) => (await import('./delete.ts')).deleteRowsCommand(source, options, config)),
    );
  addExamples(remove, [
    ['rows delete edge_logs --before 30d'],
    [`rows delete edge_logs --where "project = 'abc'" --dry-run`, 'Only count the rows'],
  ]);
}
