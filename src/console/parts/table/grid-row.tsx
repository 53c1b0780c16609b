import type { Json, JsonObject } from '../../api/json.ts';
import { cellText } from '../text/cell-text.ts';
import type { TableColumn } from './table-column.ts';

interface GridRowProps {
  readonly row: JsonObject;
  readonly index: number;
  readonly columns: readonly TableColumn[];
  readonly numeric: readonly boolean[];
  /** The widths of the columns, as the style sheet takes them. */
  readonly template: string;
  /** The column of the active cell, if it is in this row. */
  readonly active: number | undefined;
  readonly cellId: (column: number) => string;
}

/** A row of a table. Its events are the table's: thousands of cells need no functions of their own. */
export function GridRow({ row, index, columns, numeric, template, active, cellId }: GridRowProps) {
  return (
    <div class="grid-row" role="row" aria-rowindex={index + 2} style={{ gridTemplateColumns: template }}>
      {columns.map(({ name }, column) => (
        <div
          key={name}
          id={cellId(column)}
          role="gridcell"
          aria-colindex={column + 1}
          aria-selected={active === column}
          class={cellClass(row[name], numeric[column] === true)}
        >
          {cellText(row[name])}
        </div>
      ))}
    </div>
  );
}

function cellClass(value: Json | undefined, isNumber: boolean): string {
  if (value === null || value === undefined)
    return isNumber ? 'cell cell-null cell-number' : 'cell cell-null';
  if (typeof value === 'object') return 'cell cell-nested';
  return isNumber ? 'cell cell-number' : 'cell';
}
