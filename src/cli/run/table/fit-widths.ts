import { textWidth } from '../../../base/terminal/text-width.ts';

/** The width below which a column is not cut. */
const leastWidth = 8;

/**
 * The widths of columns whose lines have room, the widest columns cut first. Undefined if there are too many columns.
 *
 * @param lines the cells of all lines
 * @param gap the space between two columns
 */
export function fitWidths(
  lines: readonly (readonly string[])[],
  room: number,
  gap: number,
): readonly number[] | undefined {
  const widths: number[] = [];
  for (const line of lines)
    for (const [index, text] of line.entries()) widths[index] = Math.max(widths[index] ?? 1, textWidth(text));
  const forTexts = room - gap * (widths.length - 1);
  if (sum(widths) <= forTexts) return widths;
  if (sum(widths.map((width) => Math.min(width, leastWidth))) > forTexts) return undefined;
  // The largest width that all can have: those that are narrower keep theirs.
  let low = leastWidth;
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
