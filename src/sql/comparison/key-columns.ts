import type { AnyNode } from '../resolved/node.ts';
import type { Block } from './blocks/block.ts';
import { readBlocks } from './blocks/read-blocks.ts';
import { normalQuery } from './trees/normal-query.ts';

/** What the columns of a result say about its rows. */
export interface ResultRows {
  /**
   * The names of columns that may identify rows: the grouping keys if all of them are in the result, otherwise the columns of the order.
   * Empty if there are none.
   */
  readonly keys: readonly string[];
  readonly isOrdered: boolean;
}

/** Reads a resolved statement for what its rows may be identified by. Duplicate names have a number, as in `n#2`. */
export function resultRows(statement: AnyNode): ResultRows {
  const { main } = readBlocks(normalQuery(statement, false));
  const ordered = namesOf(
    main,
    main.order.map(({ term }) => term.key),
  );
  const isOrdered = main.order.length > 0;
  if (main.grouping === undefined) return { keys: ordered, isOrdered };
  const keys = main.grouping.keys.map(({ key }) => key);
  const names = namesOf(main, keys);
  return { keys: names.length === keys.length && names.length > 0 ? names : ordered, isOrdered };
}

function namesOf({ columns }: Block, keys: readonly string[]): string[] {
  const found = keys.flatMap((key) => columns.find(({ term }) => term.key === key)?.name ?? []);
  return [...new Set(found)].filter((name) => name !== '');
}
