import type { SqlPosition } from './analyzer/error.ts';
import { byteOffsetAt } from './text-position.ts';

/** A text of SQL, all or a part of which somebody wrote. */
export interface PlacedText {
  readonly sql: string;
  /** Absent for a text that nobody wrote. */
  readonly origin?: Origin;
}

/** Where a text is in what its author wrote, the endpoint's file or a caller's query. */
export interface Origin {
  /** So many lines at the beginning are not the author's. */
  readonly foreignLines: number;
  /** The lines before the others in what the author wrote. */
  readonly linesBefore: number;
  /** The code points that stand before the first of them in its line. */
  readonly columnsBefore: number;
}

/** The origin of a text that is all that its author wrote. */
export const wholeText: Origin = { foreignLines: 0, linesBefore: 0, columnsBefore: 0 };

/**
 * Where a position of the text is in what its author wrote, the column in code points, as people count. Undefined for one that isn't
 * there.
 */
export function placeOf(text: PlacedText, position: SqlPosition): SqlPosition | undefined {
  return placeOfByte(text, byteOffsetAt(text.sql, position));
}

/** The same for a byte offset. */
export function placeOfByte({ sql, origin }: PlacedText, byteOffset: number): SqlPosition | undefined {
  if (origin === undefined) return undefined;
  const lines = Buffer.from(sql)
    .subarray(0, byteOffset)
    .toString()
    .split(/\r\n|\r|\n/);
  const line = lines.length - origin.foreignLines;
  if (line < 1) return undefined;
  const column = [...(lines.at(-1) ?? '')].length + 1;
  return { line: line + origin.linesBefore, column: line === 1 ? column + origin.columnsBefore : column };
}
