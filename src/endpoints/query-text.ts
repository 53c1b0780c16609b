import type { SqlPosition } from '../sql/analyzer/error.ts';
import { byteOffsetAt } from '../sql/text-position.ts';

/** The query of an endpoint file: what follows the comment with its settings. */
export interface QueryText {
  readonly sql: string;
  /** Where its first word stands in the file. */
  readonly start: { readonly line: number; readonly column: number };
  /** Where a position that the analyzer gives stands in the file, the column in code points. */
  inFile(position: SqlPosition): { readonly line: number; readonly column: number };
  /** The same for a byte offset of the parse tree. */
  byteInFile(byteOffset: number): { readonly line: number; readonly column: number };
}

/**
 * @param text the whole file
 * @param start where the query starts in it (UTF-16 units)
 */
export function queryText(text: string, start: number): QueryText {
  const before = text.slice(0, start);
  const sql = text.slice(start);
  const lineOffset = before.split('\n').length - 1;
  const columnOffset = [...before.slice(before.lastIndexOf('\n') + 1)].length;
  const place = (line: number, column: number) => ({
    line: line + lineOffset,
    column: line === 1 ? column + columnOffset : column,
  });
  const leading = sql.slice(0, sql.length - sql.trimStart().length).split(/\r\n|\r|\n/);
  const byteInFile = (byteOffset: number) => {
    // Made when it is asked for: a kept plan would keep it, and with it the larger piece of memory that Node cuts it from.
    const preceding = Buffer.from(sql)
      .subarray(0, byteOffset)
      .toString()
      .split(/\r\n|\r|\n/);
    return place(preceding.length, [...(preceding.at(-1) ?? '')].length + 1);
  };
  return {
    sql,
    start: place(leading.length, [...(leading.at(-1) ?? '')].length + 1),
    inFile: (position) => byteInFile(byteOffsetAt(sql, position)),
    byteInFile,
  };
}
