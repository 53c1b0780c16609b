import { padded, textWidth } from '../../base/terminal/text-width.ts';
import { visibleText } from '../../base/terminal/visible-text.ts';
import type { TextTable } from './text-table.ts';

/** The width below which a column is not cut. */
const minWidth = 8;

/** Where a table is printed: on a terminal, with the number of its columns, or elsewhere, where nothing is cut. */
interface Place {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const gap = '  ';

/** The lines that are made before some are written. */
const linesAtOnce = 200;

/**
 * Draws a table. On a terminal, long texts are cut so that lines fit; with too many columns for that, each row is a list
 * of its values. Elsewhere, nothing is cut.
 */
export async function* renderTable(
  table: TextTable,
  { isTTY = false, columns }: Place,
): AsyncGenerator<Uint8Array> {
  const names = table.columns.map(({ name }) => visibleText(name));
  if (names.length === 0) return;
  const rows = table.rows.map((row) => row.map(cellText));
  const room = isTTY && columns !== undefined && columns > 0 ? columns : Number.POSITIVE_INFINITY;
  const widths = fitWidths([names, ...rows], room, gap.length);
  const lines = widths === undefined ? lists(names, rows, room) : grid(table, names, rows, widths);
  let some: string[] = [];
  for (const line of lines) {
    some.push(`${line.trimEnd()}\n`);
    if (some.length < linesAtOnce) continue;
    yield Buffer.from(some.join(''));
    some = [];
  }
  yield Buffer.from(some.join(''));
}

/** NULL is `NULL`, and a text that says so is quoted. */
function cellText(text: string | null): string {
  if (text === null) return 'NULL';
  return text === 'NULL' ? '"NULL"' : visibleText(text);
}

function* grid(
  { columns }: TextTable,
  names: readonly string[],
  rows: readonly (readonly string[])[],
  widths: readonly number[],
): Generator<string> {
  const line = (cells: readonly string[]) =>
    cells.map((text, index) => padded(text, widths[index] ?? 0, columns[index]?.isNumber === true)).join(gap);
  yield line(names);
  yield widths.map((width) => '─'.repeat(width)).join(gap);
  for (const row of rows) yield line(row);
}

function* lists(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  room: number,
): Generator<string> {
  const [nameWidth = 0] =
    fitWidths(
      names.map((name) => [name]),
      Math.floor(room / 2),
      0,
    ) ?? [];
  for (const [index, row] of rows.entries()) {
    yield `── row ${index + 1} ──`;
    for (const [column, text] of row.entries()) {
      const value = padded(text, room - nameWidth - gap.length, false);
      yield `${padded(names[column] ?? '', nameWidth, false)}${gap}${value}`;
    }
  }
}

/**
 * The widths of columns whose lines have room, the widest columns cut first. Undefined if there are too many columns.
 *
 * @param lines the cells of all lines
 * @param gap the space between two columns
 */
function fitWidths(
  lines: readonly (readonly string[])[],
  room: number,
  gap: number,
): readonly number[] | undefined {
  const widths: number[] = [];
  for (const line of lines)
    for (const [index, text] of line.entries()) widths[index] = Math.max(widths[index] ?? 1, textWidth(text));
  const forTexts = room - gap * (widths.length - 1);
  if (sum(widths) <= forTexts) return widths;
  if (sum(widths.map((width) => Math.min(width, minWidth))) > forTexts) return undefined;
  // The largest width that all can have: those that are narrower keep theirs.
  let low = minWidth;
  let high = Math.max(...widths);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (sum(widths.map((width) => Math.min(width, middle))) <= forTexts) low = middle;
    else high = middle - 1;
  }
  return widths.map((width) => Math.min(width, low));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
