import type { JsonObject } from '../../api/json.ts';
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

/** The columns of rows whose columns nobody has told, in the order of the first row. */
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
