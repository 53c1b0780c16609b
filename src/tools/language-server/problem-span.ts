import type { Problem } from '../../base/errors/problem.ts';

/** What a problem's mark covers: a name, a quoted text or one character. */
const marked = /[@\p{L}\p{N}_]+|"(?:\\.|[^"\\\r\n])*"|'(?:\\.|[^'\\\r\n])*'|`[^`\r\n]*`|[^\r\n]/uy;

/** The part of a text that a problem is about, in UTF-16 units. A place that the text doesn't have becomes the nearest one. */
export function problemSpan(
  text: string,
  { line, column }: Pick<Problem, 'line' | 'column'>,
): { readonly start: number; readonly end: number } {
  const lines = text.split(/(?<=\r\n|\n|\r(?!\n))/);
  const lineStart = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length, 0);
  const lineText = lines[line - 1] ?? '';
  const written = lineText.replace(/[\r\n]+$/, '');
  // Columns of problems count code points.
  const within = Math.min([...lineText].slice(0, column - 1).join('').length, written.length);
  marked.lastIndex = within;
  const [mark = ''] = marked.exec(written) ?? [];
  const start = lineStart + within;
  return { start, end: start + mark.length };
}
