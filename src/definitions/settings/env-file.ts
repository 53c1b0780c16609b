import { isAbsolute, join } from 'node:path';
import { parseEnv } from 'node:util';
import { compareProblems, formatProblem, type Problem } from '../../base/errors/problem.ts';
import {
  fileFailure,
  isFileFailure,
  isNoFile,
  readWrittenFileSync,
} from '../../base/system/read-written-file.ts';
import { ConfigError, settingNames } from './config.ts';
import { isGoogleVariable } from './google-environment.ts';
import { isTraceVariable } from './trace-environment.ts';
import { unknownVariables } from './unknown-variables.ts';

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

/** What a file has set, and warnings about what it has not. */
export interface LoadedEnvFile {
  readonly places: EnvPlaces;
  readonly warnings: readonly string[];
}

/**
 * Variables that change what runs, or whom it trusts, in whatever process they reach. `NODE_ENV` is in many files, and matters
 * to nothing here.
 */
const ofProcesses =
  /^(?:LD_|DYLD_|NODE_(?!ENV$)|SSL_CERT_|XDG_|(?:PATH|HOME|TMPDIR|BASH_ENV|GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES)$)|_PROXY$/i;

/**
 * Sets the settings of `.env` in a folder, including the variables of Google's and OpenTelemetry's clients. Everything else is
 * left out: a project is often somebody else's, and other variables may choose what runs. Variables that the environment
 * has, even empty ones, stay as they are. `ENV_FILE` names another file, relative to that folder. Without `.env`, nothing
 * happens.
 *
 * @param folder by default, the current one
 * @throws ConfigError for a file that can't be read, and for lines that Node.js ignores although they look meant
 */
export function loadEnvFile(environment: Environment, folder = '.'): LoadedEnvFile {
  const named = environment[fileVariable] || undefined;
  const wanted = named ?? defaultFile;
  const file = isAbsolute(wanted) ? wanted : join(folder, wanted);
  const text = readText(file, named !== undefined);
  const { lines, problems } = assignmentsIn(file, text);
  if (problems.length > 0) throw new ConfigError(problems.sort(compareProblems).map(formatProblem));
  const places = new Map<string, EnvPlace>();
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(parseEnv(text))) {
    const line = lines.get(name) ?? 1;
    if (!isSetting(name)) {
      const warning = warningAbout(name, value);
      if (warning !== undefined) warnings.push(`${file}:${line}: ${warning}`);
    } else if (environment[name] === undefined) {
      environment[name] = value;
      places.set(name, { file, line });
    }
  }
  return { places, warnings };
}

function isSetting(name: string): boolean {
  return settingNames.has(name) || isGoogleVariable(name) || isTraceVariable(name);
}

/** A file often has variables of other programs. There is a warning about those that are meant for this one. */
function warningAbout(name: string, value: string | undefined): string | undefined {
  if (ofProcesses.test(name))
    return `${name} is ignored: a file sets only settings. Set it in the environment if it is yours.`;
  return unknownVariables({ [name]: value }, [...settingNames])[0];
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
    if (isNoFile(error) && !isNamed) return '';
    throw new ConfigError([
      `${isNamed ? `${fileVariable}=${file}` : file}: can't be read (${fileFailure(error)})`,
    ]);
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
