import { type Command, Help, type Option } from 'commander';

/** The commands by what they are for, in the order of the help. Each is in one group. */
export const commandGroups: readonly (readonly [heading: string, names: readonly string[]])[] = [
  ['Start a project:', ['init', 'new']],
  ['Write and test endpoints:', ['dev', 'check', 'diff', 'test', 'run', 'explain', 'lql', 'schema', 'lsp']],
  ['Serve:', ['serve', 'pack', 'mcp', 'health', 'demo']],
  ['Rows and sources:', ['sources', 'import', 'sql', 'export', 'rows', 'backup', 'restore', 'doctor']],
  ['Access:', ['keys']],
  ['Other:', ['completion', 'help']],
];

const exitCodesAndSettings = `
Exit codes:
  0    success
  1    the command failed, or found errors
  2    wrong use, or invalid settings
  3    diff: answers can differ
  130  stopped by Ctrl-C (143: by SIGTERM)

Settings are environment variables, such as DATA_DIR and ENGINE. docs/settings.md
lists them, docs/cli.md describes all commands.`;

const plain = new Help();
const names = commandGroups.flatMap(([, group]) => group);
const placeOf = (command: Command) => (names.indexOf(command.name()) + names.length + 1) % (names.length + 1);

/** Sets the form of the help of a program and of all commands that are added to it later. */
export function styleHelp(program: Command): void {
  program
    .configureHelp({
      optionDescription,
      subcommandTerm: (command) => command.name(),
      visibleCommands: (command) => {
        const visible = plain.visibleCommands(command);
        return command === program ? visible.toSorted((a, b) => placeOf(a) - placeOf(b)) : visible;
      },
      groupItems: (unsorted, visible, getGroup) =>
        // The groups of commands come in the order of the commands, which is not that of their declarations.
        plain.groupItems(unsorted === program.commands ? visible : unsorted, visible, getGroup),
    })
    .helpOption('-h, --help', 'show help')
    .addHelpText('after', exitCodesAndSettings);
}

/** An option's description, its values and its default. */
function optionDescription({ description, argChoices, defaultValue }: Option): string {
  const notes = [
    ...(argChoices === undefined ? [] : [argChoices.join(', ')]),
    ...(typeof defaultValue === 'string' ? [`default: ${defaultValue}`] : []),
  ];
  return notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
}

/** Completes the help once all commands are there: the groups of the program's commands, and the way to the help. */
export function completeHelp(program: Command): void {
  for (const [heading, group] of commandGroups)
    for (const command of plain.visibleCommands(program))
      if (group.includes(command.name())) command.helpGroup(heading);
  for (const command of [program, ...allCommands(program)]) {
    if (command !== program) command.helpCommand(false);
    command.showHelpAfterError(`Run ${pathOf(command)} --help to see its usage.`);
  }
}

/** All commands below one, in the order of their declarations. */
export function allCommands(command: Command): Command[] {
  return command.commands.flatMap((each) => [each, ...allCommands(each)]);
}

/** A command as it is called: `endpoint-gateway keys create`. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

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

/** The arguments, but for the help of a command that doesn't exist: calling that one is an error that says so. */
export function helpOfKnown(program: Command, args: readonly string[]): readonly string[] {
  const [first, named] = args;
  if (first !== 'help' || named === undefined || named.startsWith('-')) return args;
  const isKnown = named === 'help' || program.commands.some((command) => command.name() === named);
  return isKnown ? args : [named];
}
