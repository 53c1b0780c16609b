import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useState } from 'preact/hooks';

/** Rows above and below the visible ones, so that fast scrolling shows no gaps. */
const margin = 6;

interface VisibleRows {
  /** The first row to draw. */
  readonly first: number;
  /** The row after the last one to draw. */
  readonly last: number;
  /** The room for columns, in pixels. */
  readonly width: number;
  /** Scrolls a row into view. */
  reveal(row: number): void;
}

/** Which rows of equal height a scrolled element shows. Its first child, the head, stays in view. */
export function useVisibleRows(
  scroller: RefObject<HTMLElement | null>,
  rows: number,
  rowPixels: number,
): VisibleRows {
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const [width, setWidth] = useState(0);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    // A step of several rows, so that most scroll events draw nothing.
    const step = rowPixels * (margin / 2);
    const onScroll = () => setTop(Math.floor(element.scrollTop / step) * step);
    const measure = () => {
      setHeight(element.clientHeight);
      setWidth(element.clientWidth);
      onScroll();
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller, rowPixels]);

  const reveal = useCallback(
    (row: number) => {
      const element = scroller.current;
      if (element === null) return;
      const [from, to] = [row * rowPixels, (row + 2) * rowPixels];
      if (from < element.scrollTop) element.scrollTop = from;
      else if (to > element.scrollTop + element.clientHeight) element.scrollTop = to - element.clientHeight;
    },
    [scroller, rowPixels],
  );

  const first = Math.max(0, Math.min(rows, Math.floor(top / rowPixels) - margin));
  const last = Math.min(rows, Math.ceil((top + height) / rowPixels) + 2 * margin);
  return { first, last, width, reveal };
}
