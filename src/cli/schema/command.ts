import type { Command } from 'commander';
import type { CommandTools } from '../options/command-tools.ts';
import { addExamples } from '../output/help.ts';

export function addSchemaCommand(program: Command, { run, output, shareFiles }: CommandTools): void {
  const command = program
    .command('schema')
    .summary('Print the GraphQL schema of the endpoints')
    .description('Print the GraphQL schema of the endpoints; needs no data')
    .option('--output <file>', 'write the schema to a file')
    .action((options: { output?: string }) =>
      run(async (config) => {
        shareFiles();
        return (await import('./schema.ts')).schemaCommand(config, output, options);
      }),
    );
  addExamples(command, [
    ['schema'],
    ['schema --output schema.graphql', 'Keep the schema, for `check --against`'],
  ]);
}
