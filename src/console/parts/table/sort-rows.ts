import type { Json, JsonObject } from '../../api/json.ts';
import { cellText } from '../text/cell-text.ts';

export interface Sorting {
  readonly column: string;
  readonly direction: 'ascending' | 'descending';
}

const collator = new Intl.Collator('en', { numeric: true });

/** The rows in the order of a column; NULL comes last. */
export function sortRows(rows: readonly JsonObject[], sorting: Sorting | undefined): readonly JsonObject[] {
  if (sorting === undefined) return rows;
  const { column, direction } = sorting;
  const sign = direction === 'ascending' ? 1 : -1;
  return rows.toSorted((one, other) => {
    const [a, b] = [one[column] ?? null, other[column] ?? null];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * compare(a, b);
  });
}

function compare(one: Json, other: Json): number {
  if (isNumber(one) && isNumber(other)) return one < other ? -1 : Number(one > other);
  return collator.compare(cellText(one), cellText(other));
}

function isNumber(value: Json): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** What a click on a column's head makes of the order: ascending, descending, then as the query has it. */
export function nextSorting(sorting: Sorting | undefined, column: string): Sorting | undefined {
  if (sorting?.column !== column) return { column, direction: 'ascending' };
  return sorting.direction === 'ascending' ? { column, direction: 'descending' } : undefined;
}
