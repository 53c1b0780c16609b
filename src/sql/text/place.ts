import { originalByte, type Rewriting } from './rewriting.ts';
import type { SqlPosition } from './text-position.ts';
import { byteOffsetAt } from './text-position.ts';

/** A SQL text, with its relation to the text that its author wrote. */
export interface PlacedText {
  readonly sql: string;
  /** Where the functions end that it defines before its query, in UTF-8 bytes. Absent without functions. */
  readonly functionsEnd?: number;
  /** Absent if the text is generated. */
  readonly origin?: Origin;
}

/** The location of a text in its original: the endpoint's file or a caller's query. */
export interface Origin {
  /** Generated lines at the beginning. */
  readonly foreignLines: number;
  /** Lines of the original before the text. */
  readonly linesBefore: number;
  /** Code points before the text in its first line of the original. */
  readonly columnsBefore: number;
  /** How the original's syntax was rewritten, if it was. */
  readonly rewriting?: Rewriting;
}

/** The origin of a text that is the complete original. */
export const wholeText: Origin = { foreignLines: 0, linesBefore: 0, columnsBefore: 0 };

/**
 * Maps a position of the text to the original, with the column in code points. Undefined for a position in generated
 * text.
 */
export function placeOf(text: PlacedText, position: SqlPosition): SqlPosition | undefined {
  return placeOfByte(text, byteOffsetAt(text.sql, position));
}

/** Maps a byte offset in the same way. */
export function placeOfByte({ sql, origin }: PlacedText, byteOffset: number): SqlPosition | undefined {
  if (origin === undefined) return undefined;
  const { rewriting, ...rest } = origin;
  if (rewriting !== undefined) {
    const original = originalByte(rewriting, byteOffset);
    const text = { sql: rewriting.original, origin: { ...rest, foreignLines: 0 } };
    return original === undefined ? undefined : placeOfByte(text, original);
  }
  const lines = Buffer.from(sql)
    .subarray(0, byteOffset)
    .toString()
    .split(/\r\n|\r|\n/);
  const line = lines.length - origin.foreignLines;
  if (line < 1) return undefined;
  const column = [...(lines.at(-1) ?? '')].length + 1;
  return { line: line + origin.linesBefore, column: line === 1 ? column + origin.columnsBefore : column };
}
