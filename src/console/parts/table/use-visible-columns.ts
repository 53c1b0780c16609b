import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** The columns to draw: the first one, and the one after the last. */
export interface VisibleColumns {
  readonly first: number;
  readonly last: number;
}

/** So much is drawn beside what is in view, in pixels. */
const margin = 150;

/** Which columns a scrolled element shows, of these widths. */
export function useVisibleColumns(
  scroller: RefObject<HTMLElement | null>,
  widths: readonly number[],
  room: number,
): VisibleColumns {
  const [left, setLeft] = useState(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    // In steps, so that most scroll events draw nothing.
    const onScroll = () => setLeft(Math.floor(element.scrollLeft / margin) * margin);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [scroller]);
  return columnsBetween(widths, left - margin, left + room + 2 * margin);
}

/** The columns of which anything is between two places, in pixels. */
export function columnsBetween(widths: readonly number[], from: number, to: number): VisibleColumns {
  let [first, last, left] = [0, 0, 0];
  for (const width of widths) {
    if (left + width < from) first += 1;
    if (left < to) last += 1;
    left += width;
  }
  return { first, last };
}
