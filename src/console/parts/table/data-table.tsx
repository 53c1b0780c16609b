import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Json, JsonObject } from '../../api/json.ts';
import { copyText } from '../copy/copy-button.tsx';
import { ValueDialog } from '../overlays/value-dialog.tsx';
import { manyLines, wholeText } from '../text/cell-text.ts';
import { counted } from '../text/number-text.ts';
import { moved, type Place, placeOf, revealColumn } from './active-cell.ts';
import { ColumnHead } from './column-head.tsx';
import { columnWidth, fittedWidths, type TextWidths, textWidths } from './column-widths.ts';
import { cellId, GridRow } from './grid-row.tsx';
import { isNumeric } from './numeric.ts';
import { nextSorting, type Sorting, sortRows } from './sort-rows.ts';
import { filterRows, type TableColumn } from './table-column.ts';
import { useVisibleColumns } from './use-visible-columns.ts';
import { useVisibleRows } from './use-visible-rows.ts';

interface DataTableProps {
  /** The name of the table, for screen readers. */
  readonly label: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly JsonObject[];
  /** Opens a row: a click and Enter do so, rather than open the value of a cell. */
  readonly onRow?: ((row: JsonObject) => void) | undefined;
}

interface ShownValue {
  readonly name: string;
  readonly value: Json;
}

/** As in the style sheet. */
const rowPixels = 30;

/**
 * A table of any number of rows: only those in view are in the page, and of them the columns in view. It sorts, filters, resizes columns, copies cells and
 * opens values. Arrow keys move between cells, Enter opens one, and Ctrl+C copies it.
 */
export function DataTable({ label, columns, rows, onRow }: DataTableProps) {
  const id = useId();
  const [sorting, setSorting] = useState<Sorting>();
  const [filter, setFilter] = useState('');
  const [chosenWidths, setChosenWidths] = useState<ReadonlyMap<string, number>>(new Map());
  const [fonts, setFonts] = useState<TextWidths>();
  const [active, setActive] = useState<Place>({ row: 0, column: 0 });
  const [shown, setShown] = useState<ShownValue>();
  const [note, setNote] = useState('');
  const scroller = useRef<HTMLDivElement>(null);

  const filtered = useMemo(() => filterRows(rows, filter), [rows, filter]);
  const sorted = useMemo(() => sortRows(filtered, columns, sorting), [filtered, columns, sorting]);
  const numeric = useMemo(() => columns.map((column) => isNumeric(column, rows)), [columns, rows]);
  const { first, last, width, reveal } = useVisibleRows(scroller, sorted.length, rowPixels);
  useLayoutEffect(() => {
    if (scroller.current !== null) setFonts(textWidths(scroller.current));
  }, []);
  const needed = useMemo(
    () => (fonts === undefined ? [] : columns.map((column) => columnWidth(column, rows, fonts))),
    [columns, rows, fonts],
  );
  const widths = useMemo(() => {
    const fitted = fittedWidths(needed, width);
    return columns.map(({ name }, index) => chosenWidths.get(name) ?? fitted[index] ?? 0);
  }, [columns, needed, width, chosenWidths]);
  const inView = useVisibleColumns(scroller, widths, width);
  const template = widths.map((pixels) => `${pixels}px`).join(' ');

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

  const openRow = ({ row: index }: Place) => {
    const row = sorted[index];
    if (row !== undefined) onRow?.(row);
  };

  const move = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const isCopy = event.key === 'c' && (event.ctrlKey || event.metaKey);
    if (isCopy && String(getSelection()) === '') void copy(active);
    else if (event.key === 'Enter' || event.key === ' ') (onRow === undefined ? open : openRow)(active);
    else {
      const next = moved(active, event, { rows: sorted.length, columns: columns.length });
      if (next === undefined) return;
      setActive(next);
      reveal(next.row);
      revealColumn(scroller.current, next.column, widths);
    }
    event.preventDefault();
  };

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
        aria-activedescendant={sorted.length > 0 ? cellId(id, active) : undefined}
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
              width={widths[index] ?? 0}
              onSort={() => setSorting(nextSorting(sorting, column.name))}
              onWidth={(pixels) => setChosenWidths(new Map([...chosenWidths, [column.name, pixels]]))}
            />
          ))}
        </div>
        <div
          class="grid-body"
          role="rowgroup"
          style={{
            height: `${sorted.length * rowPixels}px`,
            width: `${widths.reduce((sum, one) => sum + one, 0)}px`,
          }}
          onClick={({ target }) => {
            const place = placeOf(target);
            if (place === undefined) return;
            setActive(place);
            openRow(place);
          }}
          onDblClick={({ target }) => {
            const place = placeOf(target);
            if (place !== undefined && onRow === undefined) open(place);
          }}
          onPointerOver={({ target }) => showCut(target, valueAt)}
        >
          {inSlots(first, visible).map(({ row, index }) => (
            <GridRow
              // The element of a row that has left the view: scrolling makes none, and leaves the other rows alone.
              key={index % visible.length}
              active={active.row === index ? active.column : undefined}
              {...{ id, row, index, columns, numeric, template }}
              top={index * rowPixels}
              firstColumn={inView.first}
              lastColumn={inView.last}
            />
          ))}
        </div>
      </div>
      {sorted.length > 0 && (
        <div class="table-tools">
          {onRow !== undefined && (
            <button type="button" onClick={() => openRow(active)}>
              Open row
            </button>
          )}
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

/** Rows in the order of their elements, which is theirs until they are scrolled. */
function inSlots(first: number, rows: readonly JsonObject[]) {
  const placed = rows.map((row, offset) => ({ row, index: first + offset }));
  return placed.sort((one, other) => (one.index % rows.length) - (other.index % rows.length));
}

/** As much of a value as fits into a tooltip. */
const maxTip = 1_000;

/** A cell whose text is cut off tells it under the pointer. */
function showCut(target: EventTarget | null, valueAt: (place: Place) => Json): void {
  const place = placeOf(target);
  if (place === undefined || !(target instanceof HTMLElement)) return;
  if (target.scrollWidth > target.clientWidth)
    target.title = manyLines(wholeText(valueAt(place)).slice(0, maxTip));
  else target.removeAttribute('title');
}
