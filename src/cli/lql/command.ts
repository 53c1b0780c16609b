import type { Command } from 'commander';
import type { CommandTools } from '../options/command-tools.ts';
import { addExamples } from '../output/help.ts';

export function addLqlCommand(program: Command, { run, output }: CommandTools): void {
  const command = program
    .command('lql')
    .summary('Translate an LQL query to GoogleSQL')
    .description('Translate an LQL query to GoogleSQL; needs no data')
    .argument('<text>', "LQL query, such as 'f:edge_logs error t:last@1h'")
    // A text may begin with a minus.
    .allowUnknownOption()
    .requiredOption('--endpoint <endpoint>', 'name or id of the endpoint whose tables the query reads')
    .action((text: string, options: { endpoint: string }) =>
      run(async (config) => (await import('./lql.ts')).lqlCommand(config, output, text, options)),
    );
  addExamples(command, [["lql --endpoint logs.all 'f:edge_logs error t:last@1h'"]]);
}
