import { memoized } from '../../../base/async/memoized.ts';
import { columnNames } from '../../../sql/values/column-names.ts';
import type { Column, SqlType } from '../../../sql/values/type.ts';
import type { Row } from '../../../sql/values/value.ts';
import { type JsonStyle, plainStyle } from './json-style.ts';
import { objectRenderer, valueRenderer } from './value-renderer.ts';

/** Renders a row as a JSON object by the names of its columns. */
type RowRenderer = (row: Row) => string;

const renderersOf = memoized((style: JsonStyle) =>
  memoized((columns: readonly Column[]): RowRenderer => {
    // Columns of one type share a renderer: a query can select a table of nested records a hundred times.
    const rendererOf = memoized((type: SqlType) => valueRenderer(type, style));
    const renderers = columns.map((column) => rendererOf(column.type));
    return objectRenderer(columnNames(columns), renderers, { kind: 'STRUCT', fields: columns });
  }),
);

/** The renderer for rows with these columns. Cached by columns. */
export function rowRenderer(columns: readonly Column[], style: JsonStyle = plainStyle): RowRenderer {
  return renderersOf(style)(columns);
}
