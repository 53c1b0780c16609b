import { columnNames } from '../../endpoints/column-names.ts';
import type { Column } from '../../sql/type.ts';
import type { Row } from '../../sql/value.ts';
import { objectRenderer, valueRenderer } from './value-renderer.ts';

/** Writes the rows of a result as the body of an answer, `{"result":[...]}`. */
export type ResultRenderer = (rows: readonly Row[]) => Buffer;

const start = Buffer.from('{"result":[');
const between = Buffer.from(',');
const end = Buffer.from(']}');

/** A renderer for results with these columns. It costs little next to a result of a few rows. */
export function resultRenderer(columns: readonly Column[]): ResultRenderer {
  const renderers = columns.map((column) => valueRenderer(column.type));
  const renderRow = objectRenderer(columnNames(columns), renderers, { kind: 'STRUCT', fields: columns });
  return (rows) => {
    const pieces = [start];
    // Bytes row by row: the text of a whole result would be put together twice.
    for (const row of rows) pieces.push(Buffer.from(renderRow(row)), between);
    if (rows.length > 0) pieces.pop();
    return Buffer.concat([...pieces, end]);
  };
}
