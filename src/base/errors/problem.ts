import { visibleText } from '../terminal/visible-text.ts';

/** A mistake in a file that a person wrote: a source's schema, an endpoint. */
export interface Problem {
  /** The path of the file as it was given. */
  readonly file: string;
  /** The line, from 1. */
  readonly line: number;
  /** The column, from 1, counted in code points. */
  readonly column: number;
  /** What is wrong, naming the offender. */
  readonly text: string;
}

/** The problem on one line, as compilers print them: `file:LINE:COL: text`. */
export function formatProblem({ file, line, column, text }: Problem): string {
  return visibleText(`${file}:${line}:${column}: ${text}`);
}

/** Orders problems by file, then by place. */
export function compareProblems(a: Problem, b: Problem): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}

/** The line and column, both from 1, of a UTF-16 offset in a text. Columns count code points. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  let line = 1;
  for (let at = before.indexOf('\n'); at !== -1; at = before.indexOf('\n', at + 1)) line += 1;
  return { line, column: [...before.slice(lineStart)].length + 1 };
}
