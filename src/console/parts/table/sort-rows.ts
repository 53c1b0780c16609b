import type { Json, JsonObject } from '../../api/json.ts';
import { cellText } from '../text/cell-text.ts';
import { isNumeric, numberOf } from './numeric.ts';
import type { TableColumn } from './table-column.ts';

export interface Sorting {
  readonly column: string;
  readonly direction: 'ascending' | 'descending';
}

/** A row, and what it is sorted by: nothing for NULL. */
interface Keyed {
  readonly row: JsonObject;
  readonly key: string | number | undefined;
  readonly value: Json;
}

/**
 * The rows in the order of a column, as ORDER BY has it: numbers by value, texts by their characters. NULL comes last in both
 * directions.
 */
export function sortRows(
  rows: readonly JsonObject[],
  columns: readonly TableColumn[],
  sorting: Sorting | undefined,
): readonly JsonObject[] {
  const column = columns.find(({ name }) => name === sorting?.column);
  if (sorting === undefined || column === undefined) return rows;
  const sign = sorting.direction === 'ascending' ? 1 : -1;
  const keyed = keysOf(rows, column);
  keyed.sort((one, other) => {
    if (one.key === undefined || other.key === undefined)
      return Number(one.key === undefined) - Number(other.key === undefined);
    if (one.key === other.key) return sign * exactly(one.value, other.value);
    return one.key < other.key ? -sign : sign;
  });
  return keyed.map(({ row }) => row);
}

/** Keys are made once: a list of 100,000 rows needs two million comparisons. */
function keysOf(rows: readonly JsonObject[], column: TableColumn): Keyed[] {
  const keyedBy = (keyOf: (value: Json) => string | number | undefined) =>
    rows.map((row): Keyed => {
      const value = row[column.name] ?? null;
      return { row, value, key: value === null ? undefined : keyOf(value) };
    });
  const numbers = isNumeric(column, rows) ? keyedBy(numberOf) : undefined;
  // What looks like numbers in a sample may be hashes.
  const areNumbers = numbers?.every(({ key, value }) => key !== undefined || value === null);
  return numbers !== undefined && areNumbers ? numbers : keyedBy(textKey);
}

/** Times of one second have fractions or none: without its zone, the shorter text is the beginning of the longer one. */
function textKey(value: Json): string {
  const text = cellText(value);
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ][\d:.]+Z$/.test(text) ? text.slice(0, -1) : text;
}

/** The order of whole numbers that numbers of JavaScript round to the same. */
function exactly(one: Json, other: Json): number {
  const [a, b] = [wholeOf(one), wholeOf(other)];
  if (a === undefined || b === undefined) return 0;
  return a < b ? -1 : Number(a > b);
}

function wholeOf(value: Json): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === 'string' && value.length > 15 && /^-?\d+$/.test(value) ? BigInt(value) : undefined;
}

/** What a click on a column's head makes of the order: ascending, descending, then as the query has it. */
export function nextSorting(sorting: Sorting | undefined, column: string): Sorting | undefined {
  if (sorting?.column !== column) return { column, direction: 'ascending' };
  return sorting.direction === 'ascending' ? { column, direction: 'descending' } : undefined;
}
