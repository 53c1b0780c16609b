import type { Command } from 'commander';

/** The arguments, but for the help of a command that doesn't exist: calling that one is an error that says so. */
export function helpOfKnown(program: Command, args: readonly string[]): readonly string[] {
  const [first, named] = args;
  if (first !== 'help' || named === undefined || named.startsWith('-')) return args;
  const isKnown = named === 'help' || program.commands.some((command) => command.name() === named);
  return isKnown ? args : [named];
}
