import type { Command } from 'commander';
import type { CommandTools } from '../options/command-tools.ts';
import { addExamples } from '../output/help.ts';

export function addMcpCommand(program: Command, { run, output }: CommandTools): void {
  const command = program
    .command('mcp')
    .summary('Serve the endpoints to an agent over standard input and output')
    .description('Serve the endpoints to an agent over standard input and output (Model Context Protocol)')
    .action(() =>
      run(async (config, warnings) => (await import('./mcp.ts')).mcpCommand(config, output, warnings), 'log'),
    );
  addExamples(command, [['mcp']]);
}
