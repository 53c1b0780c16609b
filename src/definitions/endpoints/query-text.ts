import { type Origin, type PlacedText, placeOfByte } from '../../sql/text/place.ts';

/** The query of an endpoint file: the text after the comment with its settings. */
export interface QueryText extends PlacedText {
  readonly origin: Origin;
  /** The position of its first word in the file. */
  readonly start: { readonly line: number; readonly column: number };
}

/**
 * @param text the whole file
 * @param start the offset of the query in the file (UTF-16 units)
 */
export function queryText(text: string, start: number): QueryText {
  const before = text.slice(0, start);
  const sql = text.slice(start);
  const origin = {
    foreignLines: 0,
    linesBefore: before.split('\n').length - 1,
    columnsBefore: [...before.slice(before.lastIndexOf('\n') + 1)].length,
  };
  const leading = Buffer.byteLength(sql) - Buffer.byteLength(sql.trimStart());
  return { sql, origin, start: placeOfByte({ sql, origin }, leading) ?? { line: 1, column: 1 } };
}
