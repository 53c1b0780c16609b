import { oneLine } from '../text/cell-text.ts';
import type { Sorting } from './sort-rows.ts';
import type { TableColumn } from './table-column.ts';

interface ColumnHeadProps {
  readonly column: TableColumn;
  readonly index: number;
  readonly direction: Sorting['direction'] | undefined;
  readonly width: number;
  readonly onSort: () => void;
  readonly onWidth: (pixels: number) => void;
}

const minPixels = 48;
const keyPixels = 24;

/** The head of a column: a click sorts, its right edge resizes, and so do Shift and the arrow keys. */
export function ColumnHead({ column, index, direction, width, onSort, onWidth }: ColumnHeadProps) {
  const resize = (pixels: number) => onWidth(Math.max(minPixels, Math.round(pixels)));

  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.shiftKey || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return;
    resize(width + (event.key === 'ArrowRight' ? keyPixels : -keyPixels));
    event.preventDefault();
  };

  const drag = (event: PointerEvent) => {
    const edge = event.currentTarget;
    if (!(edge instanceof HTMLElement)) return;
    const start = event.clientX;
    edge.setPointerCapture(event.pointerId);
    edge.onpointermove = ({ clientX }) => resize(width + clientX - start);
    edge.onlostpointercapture = () => {
      edge.onpointermove = null;
    };
    event.preventDefault();
  };

  return (
    <div
      class="head"
      role="columnheader"
      aria-colindex={index + 1}
      aria-sort={direction ?? 'none'}
      title={[oneLine(column.name), column.type, column.description].filter(Boolean).join('\n')}
    >
      <button type="button" onClick={onSort} onKeyDown={onKeyDown}>
        <bdi>{oneLine(column.name)}</bdi>
        <span aria-hidden="true">
          {direction === undefined ? '' : direction === 'ascending' ? ' ↑' : ' ↓'}
        </span>
      </button>
      <span class="head-edge" aria-hidden="true" onPointerDown={drag} />
    </div>
  );
}
