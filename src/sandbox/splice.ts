import type { StoredWith } from '../endpoints/stored-with.ts';
import type { PlacedText } from '../sql/place.ts';

/**
 * Puts a caller's query behind stored WITH entries, in brackets: its own WITH clause may then take their names, and
 * no ORDER BY or LIMIT stands behind it.
 *
 * @param text the caller's text, of which the query is the part `range` (bytes in UTF-8)
 * @param isValueTable whether the query is a SELECT AS STRUCT or AS VALUE, whose record BigQuery answers as columns
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
  // Columns stay what they are: spaces stand for what is before the query in its line, tabs for tabs.
  const indent = (linesBefore.at(-1) ?? '').replace(/[^\t]/gu, ' ');
  const head = `${stored.clauseFor(tables)}\n${isValueTable ? 'SELECT * FROM ' : ''}(\n`;
  const foreignLines = head.split(/\r\n|\r|\n/).length - 1;
  return {
    sql: `${head}${indent}${query}\n)`,
    origin: { foreignLines, linesBefore: linesBefore.length - 1, columnsBefore: 0 },
  };
}
