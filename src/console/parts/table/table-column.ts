import { formatJson, type Json, type JsonObject } from '../../api/json.ts';
import { cellText } from '../text/cell-text.ts';

/** A column of a table. */
export interface TableColumn {
  readonly name: string;
  /** As GoogleSQL writes it, if it is known. */
  readonly type?: string | undefined;
  readonly description?: string | undefined;
}

/** How many rows are looked at for the width of a column. */
const sample = 200;
const characterPixels = 7.6;
const [leastPixels, maxPixels] = [72, 420];

/** The width that a column's values need, in pixels. */
export function naturalWidth({ name }: TableColumn, rows: readonly JsonObject[]): number {
  const lengths = rows.slice(0, sample).map((row) => cellText(row[name]).length);
  const longest = lengths.reduce((most, length) => Math.max(most, length), name.length + 3);
  return Math.round(Math.min(maxPixels, Math.max(leastPixels, longest * characterPixels + 24)));
}

/** The columns of rows without a description of their columns, in the order of the first row. */
export function columnsOf(rows: readonly JsonObject[]): readonly TableColumn[] {
  return Object.keys(rows[0] ?? {}).map((name) => ({ name }));
}

export function isNumeric({ name }: TableColumn, rows: readonly JsonObject[]): boolean {
  const values = rows
    .slice(0, sample)
    .map((row) => row[name])
    .filter((value) => value !== null);
  return values.length > 0 && values.every((value) => typeof value === 'number' || typeof value === 'bigint');
}

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

/** The rows that contain a text in one of their values, in any letter case. */
export function filterRows(rows: readonly JsonObject[], text: string): readonly JsonObject[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return rows;
  return rows.filter((row) => Object.values(row).some((value) => plain(value).includes(wanted)));
}

function plain(value: JsonObject[string]): string {
  const text = typeof value === 'object' ? formatJson(value) : String(value);
  return text.toLowerCase();
}
