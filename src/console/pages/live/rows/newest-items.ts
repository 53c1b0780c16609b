import type { LogItem } from './log-item.ts';

interface ItemLimits {
  readonly items: number;
  /** Of the rows' text. Few rows can be large. */
  readonly characters: number;
}

/** The newest items, as many as the limits allow. */
export interface NewestItems {
  /** Oldest first. */
  readonly items: readonly LogItem[];
  readonly characters: number;
  /** Whether older ones were dropped. */
  readonly isCut: boolean;
}

export const noItems: NewestItems = { items: [], characters: 0, isCut: false };

/** With further items. Those that are there are not changed: who reads them keeps them. */
export function withItems(before: NewestItems, added: readonly LogItem[], limits: ItemLimits): NewestItems {
  const all = [...before.items, ...added];
  let characters = added.reduce((sum, item) => sum + sizeOf(item), before.characters);
  let first = 0;
  // The newest one stays, whatever its size.
  while (first < all.length - 1 && (all.length - first > limits.items || characters > limits.characters)) {
    characters -= sizeOf(all[first]);
    first += 1;
  }
  return { items: first === 0 ? all : all.slice(first), characters, isCut: before.isCut || first > 0 };
}

function sizeOf(item: LogItem | undefined): number {
  return item?.kind === 'row' ? item.characters : 0;
}
