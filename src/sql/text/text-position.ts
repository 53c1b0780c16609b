/**
 * A position in a SQL text. Lines and columns start at 1; columns count code points, and a tab advances to the next
 * multiple of 8.
 */
export interface SqlPosition {
  readonly line: number;
  readonly column: number;
}

const tabWidth = 8;
const lineEnd = /\r\n|\r|\n/g;

/** The UTF-8 byte offset of a position that the analyzer or BigQuery reports. Positions past the end map to the end. */
export function byteOffsetAt(text: string, { line, column }: SqlPosition): number {
  const { start, end } = lineAt(text, line);
  let at = 1;
  let offset = start;
  for (const character of text.slice(start, end)) {
    if (at >= column) break;
    at = columnAfter(character, at);
    offset += character.length;
  }
  return Buffer.byteLength(text.slice(0, offset));
}

/** The position, as the analyzer counts it, of a UTF-8 byte offset in a text. */
export function positionAt(text: string, byteOffset: number): SqlPosition {
  const before = Buffer.from(text).subarray(0, byteOffset).toString();
  const lines = before.split(lineEnd);
  let column = 1;
  for (const character of lines.at(-1) ?? '') column = columnAfter(character, column);
  return { line: lines.length, column };
}

function lineAt(text: string, line: number): { start: number; end: number } {
  let start = 0;
  let passed = 1;
  for (const match of text.matchAll(lineEnd)) {
    if (passed === line) return { start, end: match.index };
    start = match.index + match[0].length;
    passed++;
  }
  return passed === line ? { start, end: text.length } : { start: text.length, end: text.length };
}

/** A tab advances to the next column that follows a multiple of 8. */
function columnAfter(character: string, column: number): number {
  return character === '\t' ? column + tabWidth - ((column - 1) % tabWidth) : column + 1;
}
