import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { Json, JsonObject } from '../../api/json.ts';
import { copyText } from '../copy/copy-button.tsx';
import { ValueDialog } from '../overlays/value-dialog.tsx';
import { cellText, wholeText } from '../text/cell-text.ts';
import { counted } from '../text/number-text.ts';
import { ColumnHead } from './column-head.tsx';
import {
  filterRows,
  isNumeric,
  naturalWidth,
  nextSorting,
  type Sorting,
  sortRows,
  type TableColumn,
} from './table-column.ts';
import { useVisibleRows } from './use-visible-rows.ts';

interface DataTableProps {
  /** The name of the table, for screen readers. */
  readonly label: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly JsonObject[];
}

interface Place {
  readonly row: number;
  readonly column: number;
}

interface ShownValue {
  readonly name: string;
  readonly value: Json;
}

/** As in the style sheet. */
const rowPixels = 30;

/**
 * A table of any number of rows: only those in view are in the page. It sorts, filters, resizes columns, copies cells and
 * opens values. Arrow keys move between cells, Enter opens one, and Ctrl+C copies it.
 */
export function DataTable({ label, columns, rows }: DataTableProps) {
  const id = useId();
  const [sorting, setSorting] = useState<Sorting>();
  const [filter, setFilter] = useState('');
  const [widths, setWidths] = useState<ReadonlyMap<string, number>>(new Map());
  const [active, setActive] = useState<Place>({ row: 0, column: 0 });
  const [shown, setShown] = useState<ShownValue>();
  const [note, setNote] = useState('');
  const scroller = useRef<HTMLDivElement>(null);

  const filtered = useMemo(() => filterRows(rows, filter), [rows, filter]);
  const sorted = useMemo(() => sortRows(filtered, sorting), [filtered, sorting]);
  const natural = useMemo(() => columns.map((column) => naturalWidth(column, rows)), [columns, rows]);
  const numeric = useMemo(() => columns.map((column) => isNumeric(column, rows)), [columns, rows]);
  const { first, last, reveal } = useVisibleRows(scroller, sorted.length, rowPixels);
  const template = columns.map(({ name }, index) => `${widths.get(name) ?? natural[index]}px`).join(' ');

  useEffect(() => setSorting(undefined), [rows]);
  // Another order begins at its first row.
  useEffect(() => {
    setActive({ row: 0, column: 0 });
    scroller.current?.scrollTo({ top: 0 });
  }, [sorted]);

  const valueAt = ({ row, column }: Place): Json => sorted[row]?.[columns[column]?.name ?? ''] ?? null;

  const copy = async (place: Place) => {
    const isCopied = await copyText(wholeText(valueAt(place)));
    setNote(isCopied ? 'Copied.' : 'The browser does not allow copying here.');
  };

  const open = (place: Place) => setShown({ name: columns[place.column]?.name ?? '', value: valueAt(place) });

  const move = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const isCopy = event.key === 'c' && (event.ctrlKey || event.metaKey);
    if (isCopy && String(getSelection()) === '') void copy(active);
    else if (event.key === 'Enter' || event.key === ' ') open(active);
    else {
      const next = moved(active, event, { rows: sorted.length, columns: columns.length });
      if (next === undefined) return;
      setActive(next);
      reveal(next.row);
      revealColumn(
        scroller.current,
        next.column,
        columns.map(({ name }, at) => widths.get(name) ?? natural[at] ?? 0),
      );
    }
    event.preventDefault();
  };

  const cellId = ({ row, column }: Place) => `${id}-${row}-${column}`;
  const visible = sorted.slice(first, last);

  return (
    <div class="table">
      <div class="table-tools">
        <input
          type="search"
          aria-label={`Filter ${label}`}
          placeholder="Filter rows"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        <span class="quiet" role="status">
          {filter === ''
            ? counted(rows.length, 'row')
            : `${counted(sorted.length, 'row')} of ${counted(rows.length, 'row')}`}{' '}
          {note}
        </span>
      </div>
      <div
        ref={scroller}
        class="grid"
        role="grid"
        aria-label={label}
        aria-rowcount={sorted.length + 1}
        aria-colcount={columns.length}
        aria-activedescendant={sorted.length > 0 ? cellId(active) : undefined}
        tabIndex={0}
        onKeyDown={move}
      >
        <div
          class="grid-row grid-head"
          role="row"
          aria-rowindex={1}
          style={{ gridTemplateColumns: template }}
        >
          {columns.map((column, index) => (
            <ColumnHead
              key={column.name}
              column={column}
              index={index}
              direction={sorting?.column === column.name ? sorting.direction : undefined}
              width={widths.get(column.name) ?? natural[index] ?? 0}
              onSort={() => setSorting(nextSorting(sorting, column.name))}
              onWidth={(pixels) => setWidths(new Map([...widths, [column.name, pixels]]))}
            />
          ))}
        </div>
        <div class="grid-body" role="rowgroup" style={{ height: `${sorted.length * rowPixels}px` }}>
          <div role="presentation" style={{ transform: `translateY(${first * rowPixels}px)` }}>
            {visible.map((row, offset) => (
              <div
                // By place: scrolling changes texts, and makes no elements.
                key={offset}
                class="grid-row"
                role="row"
                aria-rowindex={first + offset + 2}
                style={{ gridTemplateColumns: template }}
              >
                {columns.map(({ name }, column) => {
                  const place = { row: first + offset, column };
                  const isActive = active.row === place.row && active.column === column;
                  return (
                    <div
                      key={name}
                      id={cellId(place)}
                      role="gridcell"
                      aria-colindex={column + 1}
                      aria-selected={isActive}
                      class={cellClass(row[name], numeric[column] === true)}
                      onClick={() => setActive(place)}
                      onDblClick={() => open(place)}
                    >
                      {cellText(row[name])}
                    </div>
                  );
                })}
              </div>
            ))}
          </div>
        </div>
      </div>
      {sorted.length > 0 && (
        <div class="table-tools">
          <button type="button" onClick={() => open(active)}>
            Open cell
          </button>
          <button type="button" onClick={() => copy(active)}>
            Copy cell
          </button>
        </div>
      )}
      {shown && <ValueDialog name={shown.name} value={shown.value} onClose={() => setShown(undefined)} />}
    </div>
  );
}

function cellClass(value: Json | undefined, isNumber: boolean): string {
  if (value === null || value === undefined) return 'cell cell-null';
  if (typeof value === 'object') return 'cell cell-nested';
  return isNumber ? 'cell cell-number' : 'cell';
}

/** Where a key moves the active cell, if it does. */
function moved(
  { row, column }: Place,
  { key, ctrlKey, metaKey }: KeyboardEvent,
  size: { readonly rows: number; readonly columns: number },
): Place | undefined {
  const isFar = ctrlKey || metaKey;
  const next = (() => {
    switch (key) {
      case 'ArrowDown':
        return { row: row + 1, column };
      case 'ArrowUp':
        return { row: row - 1, column };
      case 'PageDown':
        return { row: row + 15, column };
      case 'PageUp':
        return { row: row - 15, column };
      case 'ArrowRight':
        return { row, column: column + 1 };
      case 'ArrowLeft':
        return { row, column: column - 1 };
      case 'Home':
        return { row: isFar ? 0 : row, column: 0 };
      case 'End':
        return { row: isFar ? size.rows - 1 : row, column: size.columns - 1 };
      default:
        return undefined;
    }
  })();
  return next && { row: within(next.row, size.rows), column: within(next.column, size.columns) };
}

function within(index: number, size: number): number {
  return Math.max(0, Math.min(size - 1, index));
}

function revealColumn(scroller: HTMLElement | null, column: number, widths: readonly number[]): void {
  if (scroller === null) return;
  const left = widths.slice(0, column).reduce((sum, width) => sum + width, 0);
  const right = left + (widths[column] ?? 0);
  if (left < scroller.scrollLeft) scroller.scrollLeft = left;
  else if (right > scroller.scrollLeft + scroller.clientWidth)
    scroller.scrollLeft = right - scroller.clientWidth;
}
