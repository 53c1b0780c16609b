/** The place of a cell in a table. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

/** Where a key moves the active cell, if it does. */
export function moved(
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

/** Scrolls sideways until a column is in view. */
export function revealColumn(scroller: HTMLElement | null, column: number, widths: readonly number[]): void {
  if (scroller === null) return;
  const left = widths.slice(0, column).reduce((sum, width) => sum + width, 0);
  const right = left + (widths[column] ?? 0);
  if (left < scroller.scrollLeft) scroller.scrollLeft = left;
  else if (right > scroller.scrollLeft + scroller.clientWidth)
    scroller.scrollLeft = right - scroller.clientWidth;
}

/** The place of the cell that an event is in, by the positions that screen readers get. */
export function placeOf(target: EventTarget | null): Place | undefined {
  const cell = target instanceof Element ? target.closest('[role="gridcell"]') : null;
  const row = cell?.closest('[role="row"]')?.getAttribute('aria-rowindex');
  const column = cell?.getAttribute('aria-colindex');
  // The head is the first row.
  return row && column ? { row: Number(row) - 2, column: Number(column) - 1 } : undefined;
}
