import { isAbsolute, join } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigError } from '../config.ts';
import { compareProblems, formatProblem, type Problem } from '../problem.ts';
import { fileFailure, isFileFailure, readWrittenFileSync } from '../system/read-written-file.ts';

/** The name of the file, and the variable that names another one. */
const defaultFile = '.env';
const fileVariable = 'ENV_FILE';

type Environment = Record<string, string | undefined>;

interface EnvPlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** Where a file has set variables, by their names. */
export type EnvPlaces = ReadonlyMap<string, EnvPlace>;

/**
 * Sets the variables of `.env` in a folder, as `process.loadEnvFile` does: variables that the environment has, even empty
 * ones, stay as they are. `ENV_FILE` names another file, relative to that folder. Without `.env`, nothing happens.
 *
 * @param folder by default, the current one
 * @throws ConfigError for a file that can't be read, and for lines that Node.js ignores although they look meant
 */
export function loadEnvFile(environment: Environment, folder = '.'): EnvPlaces {
  const named = environment[fileVariable] || undefined;
  const wanted = named ?? defaultFile;
  const file = isAbsolute(wanted) ? wanted : join(folder, wanted);
  const text = readText(file, named !== undefined);
  const { lines, problems } = assignmentsIn(file, text);
  if (problems.length > 0) throw new ConfigError(problems.sort(compareProblems).map(formatProblem));
  const places = new Map<string, EnvPlace>();
  for (const [name, value] of Object.entries(parseEnv(text))) {
    if (environment[name] !== undefined) continue;
    environment[name] = value;
    places.set(name, { file, line: lines.get(name) ?? 1 });
  }
  return places;
}

/** A failure to read the settings, with the place of each variable that a file has set. */
export function withPlaces(error: unknown, places: EnvPlaces): unknown {
  if (!(error instanceof ConfigError)) return error;
  const problems = error.problems.map((problem) => {
    const place = places.get(/^\w+/.exec(problem)?.[0] ?? '');
    return place === undefined ? problem : `${place.file}:${place.line}: ${problem}`;
  });
  return new ConfigError(problems);
}

function readText(file: string, isNamed: boolean): string {
  try {
    return readWrittenFileSync(file)
      .toString()
      .replace(/^\uFEFF/, '');
  } catch (error) {
    if (!isFileFailure(error)) throw error;
    const reason = fileFailure(error);
    if (reason === 'ENOENT' && !isNamed) return '';
    throw new ConfigError([`${isNamed ? `${fileVariable}=${file}` : file}: can't be read (${reason})`]);
  }
}

/** The start of an assignment. A quote that opens its value may close on a later line. */
const assignment = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(["'`])?/;

/** The line of each variable's last assignment, and what is wrong. */
function assignmentsIn(file: string, text: string) {
  const lines = new Map<string, number>();
  const problems: Problem[] = [];
  let open: { readonly quote: string; readonly line: number } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    if (open !== undefined) {
      if (line.includes(open.quote)) open = undefined;
      continue;
    }
    const found = assignment.exec(line);
    if (found !== null) {
      const [start, name = '', quote] = found;
      lines.set(name, index + 1);
      if (quote !== undefined && !line.slice(start.length).includes(quote)) open = { quote, line: index + 1 };
    } else if (!/^\s*(?:#|$)/.test(line)) {
      const expected = 'expected NAME=value, or a comment that begins with #';
      problems.push({ file, line: index + 1, column: 1, text: expected });
    }
  }
  if (open !== undefined)
    problems.push({ file, line: open.line, column: 1, text: `the quote ${open.quote} is never closed` });
  return { lines, problems };
}
