import type { Command } from 'commander';
import type { CommandTools } from '../options/command-tools.ts';
import { addExamples } from '../output/help.ts';

export function addServeCommand(program: Command, { run, output }: CommandTools): void {
  const command = program
    .command('serve')
    .summary('Serve the endpoints over HTTP')
    .description('Serve the endpoints on DuckDB or BigQuery')
    .option('--watch', 'reload endpoints and sources when their files change')
    .option('--example', 'serve the endpoints of the package where there are no own ones')
    .action((options: { watch?: boolean; example?: boolean }) =>
      run(async (config, warnings) => {
        const { serveCommand } = await import('./serve.ts');
        return serveCommand(config, output, { ...options, warnings });
      }, 'log'),
    );
  addExamples(command, [
    ['serve'],
    ['serve --watch', 'Reload endpoints and sources when their files change'],
  ]);
}
