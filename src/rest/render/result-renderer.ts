import { memoized } from '../../async/memoized.ts';
import { answerTooLarge, maxAnswerBytes } from '../../engines/result-size.ts';
import { columnNames } from '../../sql/column-names.ts';
import type { Column } from '../../sql/type.ts';
import type { Row } from '../../sql/value.ts';
import { objectRenderer, valueRenderer } from './value-renderer.ts';

/**
 * Renders the rows of a result as the body of a response, `{"result":[...]}`.
 *
 * @throws GatewayError QUERY_FAILED when the response is larger than `maxAnswerBytes`
 */
type ResultRenderer = (chunks: AsyncIterable<readonly Row[]>) => Promise<Buffer>;

const start = Buffer.from('{"result":[');
const between = Buffer.from(',');
const end = Buffer.from(']}');

/** The renderer for rows with these columns, as an object by their names. Cached by columns. */
export const rowRenderer: (columns: readonly Column[]) => (row: Row) => string = memoized((columns) => {
  // Columns of one type share a renderer: a query can select a table of nested records a hundred times.
  const rendererOf = memoized(valueRenderer);
  const renderers = columns.map((column) => rendererOf(column.type));
  return objectRenderer(columnNames(columns), renderers, { kind: 'STRUCT', fields: columns });
});

/** The renderer for results with these columns. Cached by columns, such as those of an endpoint. */
export const resultRenderer: (columns: readonly Column[]) => ResultRenderer = memoized((columns) => {
  const renderRow = rowRenderer(columns);
  return async (chunks) => {
    const pieces = [start];
    let size = start.length;
    for await (const rows of chunks) {
      for (const row of rows) {
        // Bytes row by row: the text of a whole result would be concatenated twice.
        const piece = Buffer.from(renderRow(row));
        size += piece.length + between.length;
        if (size > maxAnswerBytes) throw answerTooLarge();
        pieces.push(piece, between);
      }
    }
    if (pieces.length > 1) pieces.pop();
    return Buffer.concat([...pieces, end]);
  };
});
