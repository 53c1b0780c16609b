import { isMap, isScalar, isSeq, parseDocument, visit } from 'yaml';
import { z } from 'zod';
import { type Problem, positionAt } from '../../base/errors/problem.ts';
import { type FolderFiles, filesOnDisk } from '../../base/system/folder-files.ts';
import { knownKeys } from '../../base/text/known-keys.ts';
import { plainIssue } from '../../base/text/plain-issue.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import { uuidOfText } from '../../base/text/uuid-of-text.ts';
import { yamlOffset } from '../../base/text/yaml-offset.ts';
import type { SqlType } from '../../sql/values/type.ts';
import { parameterType, parameterTypeNames } from './parameters/endpoint-parameter.ts';
import { type EndpointSettings, endpointSettings, type ViewSettings, viewSettings } from './settings.ts';

/** The settings of one file of an endpoint or a view, with the positions of their parts. */
export interface SettingsComment<Settings extends ViewSettings = EndpointSettings> {
  readonly settings: Settings | undefined;
  /** The types of the declared parameters, even if other settings are invalid. Undefined if they can't be read. */
  readonly parameters: ReadonlyMap<string, SqlType> | undefined;
  readonly problems: readonly Problem[];
  /** The start of the query in the file (UTF-16 units). */
  readonly queryStart: number;
  /**
   * The line and column of a key, for example of `['parameters', 'project']`, or of its value. For an absent key, those
   * of its nearest parent. Columns count code points.
   */
  locate(path: readonly string[], what?: 'key' | 'value'): { readonly line: number; readonly column: number };
  /** The same place in UTF-16 units from the start of the file. */
  offsetOf(path: readonly string[], what?: 'key' | 'value'): number;
}

/** White space and line comments may precede the comment with the settings. */
const firstBlockComment = /^(\uFEFF?(?:\s|(?:--|#)[^\n]*\n)*\/\*)(.*?)\*\//su;

/**
 * Reads and checks the settings in the first block comment of an endpoint file. Reports all errors at once.
 *
 * @param file the file's name in messages
 * @param text the whole file
 */
export function readSettingsComment(file: string, text: string): SettingsComment {
  const match = firstBlockComment.exec(text);
  if (match !== null) return readComment(file, text, match, endpointSettings);
  const message = 'No settings: expected a block comment with YAML (id, name, ...) before the query';
  return withoutComment({ file, line: 1, column: 1, text: message });
}

/** Reads the settings of a view in the same way. A view needs none. */
export function readViewComment(file: string, text: string): SettingsComment<ViewSettings> {
  const match = firstBlockComment.exec(text);
  if (match !== null) return readComment(file, text, match, viewSettings);
  return { ...withoutComment(), settings: { description: '', parameters: {} }, parameters: new Map() };
}

/** The comment of a file without one. */
function withoutComment(problem?: Problem): SettingsComment<never> {
  const { line, column } = problem ?? { line: 1, column: 1 };
  return {
    settings: undefined,
    parameters: undefined,
    problems: problem === undefined ? [] : [problem],
    queryStart: 0,
    locate: () => ({ line, column }),
    offsetOf: () => 0,
  };
}

function readComment<Settings extends ViewSettings>(
  file: string,
  text: string,
  match: RegExpExecArray,
  schema: z.ZodType<Settings>,
): SettingsComment<Settings> {
  const [comment, opening = '', yaml = ''] = match;
  const queryStart = comment.length;
  // Preceding text is replaced by blanks, which preserves offsets.
  const padded = opening.replace(/[^\n]/g, ' ') + yaml;
  const document = parseDocument(padded);
  const root = document.contents;
  const at = (offset: number) => positionAt(text, offset);
  const start = opening.length - 2;
  const offsetOf = (path: readonly (string | number)[], what: 'key' | 'value' = 'key') =>
    yamlOffset(root, path, what) ?? start;
  const locate = (path: readonly (string | number)[], what?: 'key' | 'value') => at(offsetOf(path, what));

  const problems: Problem[] = [...document.errors, ...document.warnings].map((error) => ({
    file,
    ...at(error.pos[0]),
    text: `Settings: ${error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '')}`,
  }));
  const unread = { settings: undefined, parameters: undefined, queryStart, locate, offsetOf };
  if (problems.length > 0) return { ...unread, problems };

  visit(document, {
    Pair(_key, { key, value }) {
      if (!isScalar(key)) return;
      if (typeof key.value === 'string' && digitKeys.has(key.value)) keepDigits(value);
      if (key.value !== 'warm' || !isSeq(value)) return;
      for (const set of value.items) if (isMap(set)) for (const pair of set.items) keepDigits(pair.value);
    },
  });
  let data: unknown;
  try {
    data = document.toJS();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...unread, problems: [{ file, ...at(start), text: `Settings: ${reason}` }] };
  }
  for (const path of droppedNames(data)) {
    problems.push({ file, ...locate(path, 'key'), text: 'The name "__proto__" can have no settings' });
  }
  const parsed = schema.safeParse(data, { reportInput: true, error: plainIssue });
  const read = { parameters: declaredParameters(data), queryStart, locate, offsetOf };
  if (parsed.success && problems.length === 0) {
    return { ...read, settings: parsed.data, problems: sameButForCase(file, parsed.data, locate) };
  }
  for (const issue of parsed.error?.issues ?? []) {
    for (const { path, text: reason, what } of explain(issue, schema, `${file}\n${text}`)) {
      problems.push({ file, ...locate(path, what), text: reason });
    }
  }
  return { ...read, settings: undefined, problems };
}

/** The paths of the names that zod drops silently. */
function droppedNames(data: unknown): string[][] {
  const { data: settings = {} } = z.record(z.string(), z.unknown()).safeParse(data);
  return ['parameters', 'columns']
    .filter((group) => {
      const named = settings[group];
      return typeof named === 'object' && named !== null && Object.hasOwn(named, '__proto__');
    })
    .map((group) => [group, '__proto__']);
}

/** The settings that hold values of a parameter. */
const digitKeys: ReadonlySet<string> = new Set(['values', 'default', 'min', 'max', 'example']);

/** Numbers given as texts keep their source text: as numbers, they would lose digits. */
function keepDigits(value: unknown): void {
  for (const item of isSeq(value) ? value.items : [value]) {
    if (isScalar(item) && typeof item.value === 'number') item.value = item.source ?? item.value;
  }
}

const declarations = z.object({
  parameters: z
    .record(
      z.string(),
      z.object({ type: z.enum(parameterTypeNames).catch('STRING') }).catch({ type: 'STRING' }),
    )
    .default({}),
});

/** The declared types, whatever other settings are invalid. A parameter with an invalid type counts as a STRING. */
function declaredParameters(data: unknown): ReadonlyMap<string, SqlType> | undefined {
  const { data: read } = declarations.safeParse(data);
  return (
    read && new Map(Object.entries(read.parameters).map(([name, { type }]) => [name, parameterType(type)]))
  );
}

interface Explained {
  readonly path: readonly (string | number)[];
  readonly text: string;
  readonly what: 'key' | 'value';
}

/** @param seed a text from which an id is made for a file that lacks one */
function explain(issue: z.core.$ZodIssue, schema: z.ZodType, seed: string): Explained[] {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  const name = path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...path, key],
      text: `Unknown key "${[...path, key].join('.')}" in the settings${didYouMean(key, knownKeys(schema, path))}`,
      what: 'key' as const,
    }));
  }
  if (issue.code === 'invalid_key') {
    return [{ path, text: `Bad parameter name "${path.at(-1)}": ${issue.issues[0]?.message}`, what: 'key' }];
  }
  if (issue.code === 'invalid_type' && issue.input === undefined && path.length > 0) {
    const proposal = name === 'id' ? `. Add one, such as id: ${uuidOfText(seed)}` : '';
    return [{ path: path.slice(0, -1), text: `Setting "${name}" is missing${proposal}`, what: 'key' }];
  }
  const where = name === '' ? 'Settings' : `Bad setting "${name}"`;
  const example = name === 'id' ? `, such as ${uuidOfText(seed)}` : '';
  return [{ path, text: `${where}: ${issue.message}${example}`, what: 'value' }];
}

function sameButForCase(
  file: string,
  settings: ViewSettings,
  locate: (path: readonly string[]) => { line: number; column: number },
): Problem[] {
  const seen = new Map<string, string>();
  const problems: Problem[] = [];
  for (const name of Object.keys(settings.parameters)) {
    const other = seen.get(name.toLowerCase());
    if (other !== undefined) {
      const text = `Parameters "${other}" and "${name}" are the same to GoogleSQL, which ignores letter case`;
      problems.push({ file, ...locate(['parameters', name]), text });
    }
    seen.set(name.toLowerCase(), name);
  }
  return problems;
}

/**
 * The names of the endpoint files in a folder, sorted: `*.sql` except hidden files.
 *
 * @throws errors of the file system
 */
export async function endpointFileNames(
  folder: string,
  files: Pick<FolderFiles, 'list'> = filesOnDisk,
): Promise<string[]> {
  return (await files.list(folder)).filter((name) => name.endsWith('.sql') && !name.startsWith('.')).sort();
}
