import type { Command } from 'commander';
import type { CommandTools } from '../options/command-tools.ts';
import { addExamples } from '../output/help.ts';

/** Declares `health`, which health checks of containers run. */
export function addHealthCommand(program: Command, { output, run }: CommandTools): void {
  const command = program
    .command('health')
    .summary('Ask a gateway whether it can answer requests')
    .description('Ask the gateway at HOST and PORT whether it can answer requests: exit code 0 or 1')
    .option('--live', 'only ask whether it runs (/livez instead of /readyz)')
    .action((options: { live?: boolean }) =>
      run(async (config) => (await import('./health.ts')).healthCommand(config, output, options)),
    );
  addExamples(command, [['health'], ['health --live']]);
}
