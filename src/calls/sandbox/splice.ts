import type { StoredWith } from '../../definitions/endpoints/plan-text.ts';
import { type PlacedText, wholeText } from '../../sql/text/place.ts';
import { shifted } from '../../sql/text/rewriting.ts';

/**
 * Splices an ad-hoc query behind stored WITH entries, in brackets. Its own WITH clause may then reuse their names, and
 * its ORDER BY and LIMIT stay within.
 *
 * @param own the caller's text, in which the query has the `range` (bytes in UTF-8)
 * @param isValueTable whether the query is a SELECT AS STRUCT or AS VALUE, whose record BigQuery returns as columns
 */
export function splice(
  stored: StoredWith,
  tables: Iterable<string>,
  own: PlacedText,
  range: { readonly start: number; readonly end: number },
  isValueTable: boolean,
): PlacedText {
  const bytes = Buffer.from(own.sql);
  const query = bytes.subarray(range.start, range.end).toString();
  const before = bytes.subarray(0, range.start).toString();
  const linesBefore = before.split(/\r\n|\r|\n/);
  // Preserves column numbers: spaces replace what precedes the query in its line, and tabs stay.
  const indent = (linesBefore.at(-1) ?? '').replace(/[^\t]/gu, ' ');
  const { sql: clause, ...functions } = stored.clauseFor(tables);
  const head = `${clause}\n${isValueTable ? 'SELECT * FROM ' : ''}(\n`;
  const text = { sql: `${head}${indent}${query}\n)`, ...functions };
  const rewriting = own.origin?.rewriting;
  if (rewriting !== undefined) {
    const moved = Buffer.byteLength(head + indent) - range.start;
    return { ...text, origin: { ...wholeText, rewriting: shifted(rewriting, moved) } };
  }
  const foreignLines = head.split(/\r\n|\r|\n/).length - 1;
  return { ...text, origin: { foreignLines, linesBefore: linesBefore.length - 1, columnsBefore: 0 } };
}
