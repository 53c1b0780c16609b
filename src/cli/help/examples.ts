import type { Command } from 'commander';

/** A call of a command, with what it is for if the call doesn't say it. */
type Example = readonly [call: string, purpose?: string];

/** Adds examples to the end of a command's help. */
export function addExamples(command: Command, examples: readonly Example[]): Command {
  const lines = examples.flatMap(([call, purpose]) => [
    ...(purpose === undefined ? [] : [`  # ${purpose}`]),
    `  endpoint-gateway ${call}`,
  ]);
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}
