import { useMemo } from 'preact/hooks';
import type { Json, JsonObject } from '../../api/json.ts';
import { cellText } from '../text/cell-text.ts';
import type { Place } from './active-cell.ts';
import type { TableColumn } from './table-column.ts';

interface GridRowProps {
  /** Of the table. */
  readonly id: string;
  readonly row: JsonObject;
  readonly index: number;
  /** Its place, in pixels. */
  readonly top: number;
  readonly columns: readonly TableColumn[];
  readonly numeric: readonly boolean[];
  /** The columns to draw: up to the last one, without it. */
  readonly firstColumn: number;
  readonly lastColumn: number;
  /** The widths of the columns, as the style sheet takes them. */
  readonly template: string;
  /** The column of the active cell, if it is in this row. */
  readonly active: number | undefined;
}

/** A row of a table. Its events are the table's: thousands of cells need no functions of their own. */
export function GridRow(props: GridRowProps) {
  const { id, row, index, top, columns, numeric, template, active, firstColumn, lastColumn } = props;
  return useMemo(
    () => (
      <div
        class="grid-row"
        role="row"
        aria-rowindex={index + 2}
        style={{ gridTemplateColumns: template, transform: `translateY(${top}px)` }}
      >
        {columns.slice(firstColumn, lastColumn).map(({ name }, offset) => {
          const column = firstColumn + offset;
          return (
            <div
              key={name}
              id={cellId(id, { row: index, column })}
              role="gridcell"
              aria-colindex={column + 1}
              style={{ gridColumn: column + 1 }}
              aria-selected={active === column}
              class={cellClass(row[name], numeric[column] === true)}
            >
              {cellText(row[name])}
            </div>
          );
        })}
      </div>
    ),
    [id, row, index, top, columns, numeric, template, active, firstColumn, lastColumn],
  );
}

/** @param table its id */
export function cellId(table: string, { row, column }: Place): string {
  return `${table}-${row}-${column}`;
}

function cellClass(value: Json | undefined, isNumber: boolean): string {
  if (value === null || value === undefined)
    return isNumber ? 'cell cell-null cell-number' : 'cell cell-null';
  if (typeof value === 'object') return 'cell cell-nested';
  return isNumber ? 'cell cell-number' : 'cell';
}
