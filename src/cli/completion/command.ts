import { Argument, type Command } from 'commander';
import type { CommandTools } from '../options/command-tools.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { addExamples } from '../output/help.ts';
import { type Shell, shells } from './script-of.ts';

export function addCompletionCommand(
  program: Command,
  { run, runWithoutSettings, output }: CommandTools,
): void {
  const shell = new Argument('<shell>', 'shell that loads the script').choices(shells);
  const command = program
    .command('completion')
    .summary('Print the completion script of a shell')
    .description(
      'Print a script with which a shell completes commands, options, endpoints, sources and parameters',
    )
    .addArgument(shell)
    .action((wanted: Shell) =>
      runWithoutSettings(async () => {
        const { scriptOf } = await import('./script-of.ts');
        output.out(scriptOf(wanted));
        return exitCodes.success;
      }),
    );
  addExamples(command, [
    ['completion bash > ~/.local/share/bash-completion/completions/endpoint-gateway', 'Bash'],
    ['completion zsh > ~/.zfunc/_endpoint-gateway', 'Zsh, with ~/.zfunc in fpath'],
    ['completion fish > ~/.config/fish/completions/endpoint-gateway.fish', 'Fish'],
  ]);
  // The scripts call it.
  program
    .command('complete', { hidden: true })
    .addArgument(shell)
    .argument('[words...]')
    .action((wanted: Shell, words: string[]) =>
      run(async (config) => {
        const { complete } = await import('./complete.ts');
        const { namesOfFiles } = await import('./file-names.ts');
        output.out(await complete(program, wanted, words, namesOfFiles(config)));
        return exitCodes.success;
      }),
    );
}
