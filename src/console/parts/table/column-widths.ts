import type { Json, JsonObject } from '../../api/json.ts';
import { cellText, oneLine } from '../text/cell-text.ts';
import { numberOf, sampleOf } from './numeric.ts';
import type { TableColumn } from './table-column.ts';

/** What a column needs, in pixels. */
export interface ColumnWidth {
  /** For all of its values. */
  readonly whole: number;
  /** What it has where there is no room for all columns. Numbers and dates are never cut. */
  readonly least: number;
}

/** How wide texts are in the cells and in the heads of a table, in pixels. */
export interface TextWidths {
  readonly cell: (text: string) => number;
  readonly head: (text: string) => number;
}

const [leastPixels, mostPixels] = [56, 420];
/** The padding of a cell, its line, and a pixel for rounding. */
const cellRoom = 26;
/** The padding of a head, its line, and the arrow of the order. */
const headRoom = 44;
const date = /^\d{4}-\d\d-\d\d/;
/** Wide characters make a text of fewer characters the widest one: so many of a column are measured besides the longest. */
const measured = 100;
const longestMeasured = 5;

/** Looks at the values of all rows. */
export function columnWidth(
  column: TableColumn,
  rows: readonly JsonObject[],
  { cell, head }: TextWidths,
): ColumnWidth {
  const { name } = column;
  const texts = [...longest(rows, name), ...sampleOf(rows, measured).map((row) => cellText(row[name]))];
  const content = texts.reduce((most, text) => Math.max(most, cell(text)), 0) + cellRoom;
  const title = head(oneLine(name)) + headRoom;
  const whole = Math.ceil(Math.max(leastPixels, content, title));
  const isWhole = sampleOf(rows, measured).every((row) => isShort(row[name]));
  return { whole, least: isWhole ? whole : Math.min(whole, mostPixels) };
}

function isShort(value: Json | undefined): boolean {
  if (typeof value === 'string')
    return value.length <= 40 && (date.test(value) || numberOf(value) !== undefined);
  return typeof value !== 'object' || value === null;
}

/** The texts with the most characters. */
function longest(rows: readonly JsonObject[], name: string): readonly string[] {
  const lengths: { readonly length: number; readonly value: Json | undefined }[] = [];
  let least = 0;
  for (const row of rows) {
    const value = row[name];
    const length = lengthOf(value);
    if (length <= least) continue;
    lengths.push({ length, value });
    if (lengths.length <= longestMeasured) continue;
    lengths.sort((one, other) => other.length - one.length).pop();
    least = lengths.at(-1)?.length ?? 0;
  }
  return lengths.map(({ value }) => cellText(value));
}

function lengthOf(value: Json | undefined): number {
  if (typeof value === 'string') return value.length;
  // Nested values are measured where they are sampled: they are cut anyway.
  return typeof value === 'number' || typeof value === 'bigint' ? String(value).length : 0;
}

/** The widths of columns in a table: columns that are cut grow into the room that is free, those that need least first. */
export function fittedWidths(columns: readonly ColumnWidth[], room: number): readonly number[] {
  const widths = columns.map(({ least }) => least);
  let free = room - widths.reduce((sum, width) => sum + width, 0);
  const cut = columns
    .map(({ whole, least }, index) => ({ index, lack: whole - least }))
    .filter(({ lack }) => lack > 0)
    .sort((one, other) => one.lack - other.lack);
  for (const [place, { index, lack }] of cut.entries()) {
    const more = Math.floor(Math.max(0, Math.min(lack, free / (cut.length - place))));
    widths[index] = (widths[index] ?? 0) + more;
    free -= more;
  }
  return widths;
}

/** Measures with the fonts of an element, which has the cells' one. */
export function textWidths(element: HTMLElement): TextWidths {
  const context = document.createElement('canvas').getContext('2d');
  const { fontFamily, fontSize } = getComputedStyle(element);
  const measure = (weight: number) => (text: string) => {
    if (context === null) return text.length * 8;
    context.font = `${weight} ${fontSize} ${fontFamily}`;
    return context.measureText(text).width;
  };
  return { cell: measure(400), head: measure(600) };
}
