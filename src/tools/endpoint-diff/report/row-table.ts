import { visibleText } from '../../../base/terminal/visible-text.ts';
import type { Json, JsonObject } from '../../../base/text/exact-json.ts';
import { jsonText } from '../../../rows/ingest/encode/json-text.ts';
import { differingColumns, type RowComparison } from '../rows/compare-rows.ts';

/** Longer values are cut. */
const longestCell = 60;

/** Rows that differ, as texts. The first column says how: `+`, `-` or `~`. */
export interface RowTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** How many rows are left out. */
  readonly more: number;
}

/** The rows that differ, at most so many: changed ones first, with both values where these differ. */
export function rowTable({ columns, added, removed, changed }: RowComparison, maxRows: number): RowTable {
  const all = [
    ...changed.map((row) => {
      const differing = new Set(differingColumns(row));
      return [
        '~',
        ...columns.map((name) =>
          differing.has(name)
            ? `${cell(row.before, name)} → ${cell(row.after, name)}`
            : cell(row.after, name),
        ),
      ];
    }),
    ...removed.map((row) => ['-', ...columns.map((name) => cell(row, name))]),
    ...added.map((row) => ['+', ...columns.map((name) => cell(row, name))]),
  ];
  return {
    header: ['', ...columns.map(visibleText)],
    rows: all.slice(0, maxRows),
    more: Math.max(0, all.length - maxRows),
  };
}

function cell(row: JsonObject, name: string): string {
  const value: Json = row[name] ?? null;
  const text = visibleText(value === null ? 'NULL' : typeof value === 'string' ? value : jsonText(value));
  const characters = [...text];
  return characters.length > longestCell ? `${characters.slice(0, longestCell).join('')}…` : text;
}

/** How many rows differ, in words. */
export function rowCounts({ added, removed, changed, equal, isReordered, keys }: RowComparison): string {
  const counts = [
    changed.length > 0 && `${changed.length} changed`,
    removed.length > 0 && `${removed.length} removed`,
    added.length > 0 && `${added.length} added`,
    `${equal} equal`,
    isReordered && 'in another order',
  ].filter((part) => part !== false);
  const by = changed.length > 0 ? ` (rows with the same ${keys.join(', ')})` : '';
  return `${counts.join(', ')}${by}`;
}
