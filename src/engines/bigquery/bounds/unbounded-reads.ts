import type { AnyNode } from '../../../sql/resolved/node.ts';
import { sourceBounds } from './bounded-sources.ts';
import { type ReadPlace, readPlaces } from './read-places.ts';

/** A place where a query reads all rows of a table, whatever their times. */
export interface UnboundedRead extends ReadPlace {
  /** The column with the time of its rows. */
  readonly column: string;
}

/**
 * The places where a statement reads a table without a condition that bounds its time. One that only reads the newest rows of a
 * table has none.
 *
 * @param timeOf returns the column with the time of a table, and undefined for tables that are not looked at
 */
export function unboundedReads(
  statement: AnyNode,
  timeOf: (table: string) => string | undefined,
): readonly UnboundedRead[] {
  const { bounded, newestFirst } = sourceBounds(statement);
  const found = newestFirst === undefined ? bounded : [...bounded, newestFirst];
  return readPlaces(statement).flatMap((place) => {
    const column = timeOf(place.table);
    const isBounded = (name: string) =>
      found.some((each) => each.start === place.start && each.column.toLowerCase() === name.toLowerCase());
    return column === undefined || isBounded(column) ? [] : [{ ...place, column }];
  });
}
