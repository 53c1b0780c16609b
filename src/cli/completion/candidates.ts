import { type Argument, type Command, Help, type Option } from 'commander';

/** A text that may follow, with what it means. */
export interface Candidate {
  readonly text: string;
  readonly meaning?: string;
}

/** The names in a user's files. They are read when they are needed. */
export interface Names {
  readonly endpoints: () => Promise<readonly Candidate[]>;
  readonly sources: () => Promise<readonly Candidate[]>;
  /** The parameters of an endpoint, as `name=`. */
  readonly parameters: (endpoint: string | undefined) => Promise<readonly Candidate[]>;
  /** The allowed values of a parameter of an endpoint. */
  readonly values: (endpoint: string | undefined, parameter: string) => Promise<readonly Candidate[]>;
}

/** What is being completed: the command so far. */
interface Typed {
  readonly command: Command;
  /** The arguments before the word. */
  readonly given: readonly string[];
  readonly used: ReadonlySet<string>;
  /** The option whose value the word is. */
  readonly option: Option | undefined;
}

const help = new Help();

/** Options whose values are names of a kind, whatever the command. */
const namedByOption: Readonly<Record<string, 'endpoints' | 'sources'>> = {
  '--endpoint': 'endpoints',
  '--endpoints': 'endpoints',
  '--source': 'sources',
  '--sources': 'sources',
};

const namedByArgument: Readonly<Record<string, 'endpoints' | 'sources'>> = {
  endpoint: 'endpoints',
  endpoints: 'endpoints',
  source: 'sources',
  names: 'sources',
};

/**
 * What may stand in place of the last word.
 *
 * @param words those after the program's name; the last one is being typed
 * @returns none where a file is meant, or nothing is known; and none with control characters, which steer terminals
 */
export async function candidates(
  program: Command,
  words: readonly string[],
  names: Names,
): Promise<readonly Candidate[]> {
  const word = words.at(-1) ?? '';
  const typed = read(program, words.slice(0, -1));
  const [, long, begun] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
  const named = long === undefined ? undefined : optionOf(typed.command, long);
  const all =
    named !== undefined && typed.option === undefined
      ? (await ofOption(named, begun ?? '', typed, names)).map(({ text, ...rest }) => ({
          text: `${long}=${text}`,
          ...rest,
        }))
      : await at(typed, word, names);
  return all.filter(({ text }) => text.startsWith(word) && !/\p{Cc}/u.test(text));
}

function read(program: Command, words: readonly string[]): Typed {
  let command = program;
  let given: string[] = [];
  let option: Option | undefined;
  const used = new Set<string>();
  for (const word of words) {
    if (option !== undefined) option = undefined;
    else if (word.startsWith('-')) {
      const found = optionOf(command, word);
      if (found?.long !== undefined && found.parseArg === undefined) used.add(found.long);
      option = found?.required ? found : undefined;
    } else {
      const next = command.commands.find((each) => each.name() === word);
      if (next === undefined) given = [...given, word];
      else [command, given] = [next, []];
    }
  }
  return { command, given, used, option };
}

function optionOf({ options }: Command, flag: string): Option | undefined {
  return options.find(({ short, long }) => flag === short || flag === long);
}

async function at(typed: Typed, word: string, names: Names): Promise<readonly Candidate[]> {
  const { command, given, used, option } = typed;
  if (option !== undefined) return ofOption(option, word, typed, names);
  if (word.startsWith('-'))
    return help
      .visibleOptions(command)
      .filter(({ long }) => long !== undefined && !used.has(long))
      .map(({ long, description }) => ({ text: long ?? '', meaning: description }));
  const [first] = given;
  if (command.commands.length > 0) return first === undefined || first === 'help' ? ofCommands(command) : [];
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const argument = registeredArguments[given.length] ?? (last?.variadic ? last : undefined);
  return argument === undefined ? [] : ofArgument(argument, names);
}

function ofCommands(command: Command): Candidate[] {
  return help
    .visibleCommands(command)
    .map((each) => ({ text: each.name(), meaning: each.summary() || each.description() }));
}

async function ofArgument(argument: Argument, names: Names): Promise<readonly Candidate[]> {
  if (argument.argChoices !== undefined) return argument.argChoices.map((text) => ({ text }));
  const kind = namedByArgument[argument.name()];
  return kind === undefined ? [] : names[kind]();
}

async function ofOption(
  { long = '', argChoices }: Option,
  word: string,
  { given: [endpoint] }: Typed,
  names: Names,
): Promise<readonly Candidate[]> {
  if (argChoices !== undefined) return argChoices.map((text) => ({ text }));
  if (long === '--param') {
    const equals = word.indexOf('=');
    if (equals === -1) return names.parameters(endpoint);
    const parameter = word.slice(0, equals);
    const values = await names.values(endpoint, parameter);
    return values.map(({ text, ...rest }) => ({ text: `${parameter}=${text}`, ...rest }));
  }
  const kind = namedByOption[long];
  return kind === undefined ? [] : names[kind]();
}
