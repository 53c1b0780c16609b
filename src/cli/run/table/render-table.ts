import { padded } from '../../../base/terminal/text-width.ts';
import { visibleText } from '../../../base/terminal/visible-text.ts';
import { fitWidths } from './fit-widths.ts';
import type { TextTable } from './result-table.ts';

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
