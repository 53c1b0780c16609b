import type { RefObject } from 'preact';
import { useEffect, useId, useImperativeHandle, useRef, useState } from 'preact/hooks';
import { useVisibleRows } from '../../parts/table/use-visible-rows.ts';
import { cellText, oneLine } from '../../parts/text/cell-text.ts';
import { valuesAt } from './rows/fields.ts';
import type { LogItem, LogRow } from './rows/log-item.ts';
import { timeTexts } from './rows/log-item.ts';

export interface RowListHandle {
  /** Goes to the newest row. */
  toTop(): void;
}

interface RowListProps {
  readonly label: string;
  /** Oldest first. The list shows the newest first. */
  readonly items: readonly LogItem[];
  /** The paths of fields that have columns of their own. */
  readonly columns: readonly string[];
  readonly handle: RefObject<RowListHandle | null>;
  /** Called when the user leaves the newest row, or is back: what one reads must not move. */
  readonly onReading: (isReading: boolean) => void;
  readonly onOpen: (row: LogRow) => void;
}

/** As in the style sheet. */
const rowPixels = 26;

/** Rows of a tail in lines. The arrow keys move between them, Enter opens one, Escape goes back to the newest. */
export function RowList({ label, items, columns, handle, onReading, onOpen }: RowListProps) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<number>();
  const [isScrolled, setIsScrolled] = useState(false);
  const { first, last, reveal } = useVisibleRows(scroller, items.length, rowPixels);
  const at = (index: number) => items[items.length - 1 - index];
  const activeIndex = active === undefined ? -1 : items.findLastIndex(({ number }) => number === active);
  const place = activeIndex === -1 ? 0 : items.length - 1 - activeIndex;

  const isReading = isScrolled || active !== undefined;
  useEffect(() => onReading(isReading), [isReading, onReading]);
  useEffect(() => () => onReading(false), [onReading]);

  const toTop = () => {
    setActive(undefined);
    setIsScrolled(false);
    scroller.current?.scrollTo({ top: 0 });
  };
  useImperativeHandle(handle, () => ({ toTop }), []);

  const open = (item: LogItem | undefined) => {
    if (item?.kind === 'row') onOpen(item);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' && isReading) toTop();
    else if (event.key === 'Enter' || event.key === ' ') open(at(place));
    else {
      const step = stepOf(event.key, items.length);
      if (step === undefined) return;
      // The first key shows where one is.
      const next = active === undefined && step === 1 ? place : place + step;
      const index = Math.max(0, Math.min(items.length - 1, next));
      setActive(at(index)?.number);
      reveal(index);
    }
    event.preventDefault();
  };

  const rowId = (index: number) => `${id}-${index}`;
  const indexes = Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset);
  return (
    <div
      ref={scroller}
      class="grid live-grid"
      role="grid"
      aria-label={label}
      aria-rowcount={items.length + 1}
      aria-activedescendant={active !== undefined && items.length > 0 ? rowId(place) : undefined}
      style={{ '--fields': columns.length === 0 ? '' : `repeat(${columns.length}, minmax(60px, 180px))` }}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget }) => setIsScrolled(currentTarget.scrollTop > 0)}
    >
      <div class="live-row grid-head live-head" role="row" aria-rowindex={1}>
        <span role="columnheader">Time (UTC)</span>
        <span role="columnheader">Level</span>
        {columns.map((path) => (
          <span key={path} role="columnheader" class="live-field" title={path}>
            <bdi>{oneLine(path)}</bdi>
          </span>
        ))}
        <span role="columnheader">Message</span>
      </div>
      <div role="rowgroup" style={{ height: `${items.length * rowPixels}px` }}>
        <div role="presentation" style={{ transform: `translateY(${first * rowPixels}px)` }}>
          {indexes.map((index) => {
            const item = at(index);
            if (item === undefined) return null;
            return (
              <Line
                key={item.number}
                id={rowId(index)}
                item={item}
                columns={columns}
                index={index}
                isActive={active === item.number}
                onOpen={() => open(item)}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface LineProps {
  readonly id: string;
  readonly item: LogItem;
  readonly columns: readonly string[];
  readonly index: number;
  readonly isActive: boolean;
  readonly onOpen: () => void;
}

function Line({ id, item, columns, index, isActive, onOpen }: LineProps) {
  const attributes = { id, 'aria-rowindex': index + 2, 'aria-selected': isActive };
  if (item.kind === 'gap') {
    return (
      <div {...attributes} role="row" class="live-row live-gap">
        <span role="gridcell" aria-colspan={3 + columns.length}>
          Rows were left out here: the connection was too slow, or away for too long.
        </span>
      </div>
    );
  }
  const { row, time, level, message } = item;
  const { date, clock } = timeTexts(time);
  return (
    <div {...attributes} role="row" class={`live-row severity-${level.severity}`} onClick={onOpen}>
      <span role="gridcell" class="live-time">
        <span class="live-date">{date} </span>
        {clock}
      </span>
      <span role="gridcell" class="live-level">
        <bdi>{level.text}</bdi>
      </span>
      {columns.map((path) => (
        <span key={path} role="gridcell" class="live-field">
          <bdi>{valuesAt(row, path).map(cellText).join(', ')}</bdi>
        </span>
      ))}
      <span role="gridcell" class="live-message">
        <bdi>{message}</bdi>
      </span>
    </div>
  );
}

function stepOf(key: string, size: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return 1;
    case 'ArrowUp':
      return -1;
    case 'PageDown':
      return 15;
    case 'PageUp':
      return -15;
    case 'Home':
      return -size;
    case 'End':
      return size;
    default:
      return undefined;
  }
}
