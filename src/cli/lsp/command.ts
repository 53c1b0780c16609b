import type { Command } from 'commander';
import type { CommandTools } from '../options/command-tools.ts';

/** The language server reads the settings when an editor has named its folder. */
export function addLspCommand(program: Command, { runWithoutSettings }: CommandTools): void {
  program
    .command('lsp')
    .summary('Check endpoints in an editor')
    .description('Check endpoints in an editor (Language Server Protocol over standard input and output)')
    // Editors' clients add it to the command by themselves.
    .option('--stdio', 'serve over standard input and output, which is the only way')
    .action(() => runWithoutSettings(async () => (await import('./lsp.ts')).lspCommand()));
}
