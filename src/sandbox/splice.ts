import type { StoredWith } from '../endpoints/stored-with.ts';
import type { PlacedText } from '../sql/place.ts';

/**
 * Splices an ad-hoc query behind stored WITH entries, in brackets. Its own WITH clause may then reuse their names, and
 * its ORDER BY and LIMIT stay within.
 *
 * @param text the caller's text, in which the query has the `range` (bytes in UTF-8)
 * @param isValueTable whether the query is a SELECT AS STRUCT or AS VALUE, whose record BigQuery returns as columns
 */
export function splice(
  stored: StoredWith,
  tables: Iterable<string>,
  text: string,
  range: { readonly start: number; readonly end: number },
  isValueTable: boolean,
): PlacedText {
  const bytes = Buffer.from(text);
  const query = bytes.subarray(range.start, range.end).toString();
  const before = bytes.subarray(0, range.start).toString();
  const linesBefore = before.split(/\r\n|\r|\n/);
  // Preserves column numbers: spaces replace what precedes the query in its line, and tabs stay.
  const indent = (linesBefore.at(-1) ?? '').replace(/[^\t]/gu, ' ');
  const { sql: clause, ...functions } = stored.clauseFor(tables);
  const head = `${clause}\n${isValueTable ? 'SELECT * FROM ' : ''}(\n`;
  const foreignLines = head.split(/\r\n|\r|\n/).length - 1;
  return {
    sql: `${head}${indent}${query}\n)`,
    ...functions,
    origin: { foreignLines, linesBefore: linesBefore.length - 1, columnsBefore: 0 },
  };
}
