import { isScalar, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { type Problem, positionAt } from '../../base/errors/problem.ts';
import { knownKeys } from '../../base/text/known-keys.ts';
import { plainIssue } from '../../base/text/plain-issue.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import { yamlOffset } from '../../base/text/yaml-offset.ts';
import { type BoardFile, boardFile } from './board-file.ts';

type Path = readonly (string | number)[];

/** A board's file as read. */
export interface ReadBoard {
  /** The name of the file without its extension. */
  readonly name: string;
  readonly file: string;
  readonly text: string;
  /** Undefined if the file has errors of form. */
  readonly board: BoardFile | undefined;
  /** The errors of form. What the board calls is checked by `boardProblems`. */
  readonly problems: readonly Problem[];
  /** The line and column of a key, or of its value; for an absent key those of its nearest parent. */
  locate(path: Path, what?: 'key' | 'value'): { readonly line: number; readonly column: number };
}

/**
 * Reads the file of a board, without what it calls. Reports all errors at once.
 *
 * @param file the file's name in messages
 */
export function readBoard(name: string, file: string, text: string): ReadBoard {
  const document = parseDocument(text, { logLevel: 'error' });
  const locate: ReadBoard['locate'] = (path, what = 'key') =>
    positionAt(text, yamlOffset(document.contents, path, what) ?? 0);
  const read = { name, file, text, locate };
  const broken = (problems: readonly Problem[]): ReadBoard => ({ ...read, board: undefined, problems });
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0)
    return broken(
      faults.map(({ pos, message }) => ({
        file,
        ...positionAt(text, pos[0]),
        text: `YAML: ${message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '')}`,
      })),
    );
  visit(document, {
    Pair(_key, { key, value }) {
      if (isScalar(key) && valueKeys.has(String(key.value))) keepDigits(value);
    },
  });
  let data: unknown;
  try {
    data = document.toJS();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return broken([{ file, line: 1, column: 1, text: `YAML: ${reason}` }]);
  }
  const parsed = boardFile.safeParse(data ?? {}, { reportInput: true, error: plainIssue });
  if (parsed.success) return { ...read, board: parsed.data, problems: [] };
  const found = parsed.error.issues.flatMap(explain);
  return broken(found.map(({ path, text, what }) => ({ file, ...locate(path, what), text })));
}

/** The keys below which values belong to parameters and variables. */
const valueKeys: ReadonlySet<string> = new Set(['parameters', 'values', 'default']);

/** Numbers keep their source text: as numbers, they would lose digits. */
function keepDigits(part: unknown): void {
  visit(part as Parameters<typeof visit>[0], {
    Scalar(key, node) {
      if (key !== 'key' && typeof node.value === 'number') node.value = node.source ?? node.value;
    },
  });
}

interface Explained {
  readonly path: Path;
  readonly text: string;
  readonly what: 'key' | 'value';
}

function explain(issue: z.core.$ZodIssue): Explained[] {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  const name = shownPath(path);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...path, key],
      text: `Unknown key "${shownPath([...path, key])}"${didYouMean(key, knownKeys(boardFile, path))}`,
      what: 'key' as const,
    }));
  if (issue.code === 'invalid_key')
    return [{ path, text: `Bad name "${name}": ${issue.issues[0]?.message}`, what: 'key' }];
  if (issue.code === 'invalid_type' && issue.input === undefined && path.length > 0)
    return [{ path: path.slice(0, -1), text: `"${name}" is missing`, what: 'key' }];
  return [{ path, text: `${name === '' ? 'The board' : `"${name}"`}: ${issue.message}`, what: 'value' }];
}

/** Such as `panels[0].chart.type`. */
function shownPath(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
}
