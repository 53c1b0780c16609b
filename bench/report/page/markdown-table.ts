import type { Table } from './section.ts';

/**
 * A table in Markdown.
 *
 * @param numbersFrom the first column that is aligned to the right; none by default
 */
export function markdownTable({ headings, rows }: Table, numbersFrom = headings.length): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  const rule = headings.map((_, column) => (column < numbersFrom ? '---' : '--:'));
  return [line(headings), line(rule), ...rows.map(line)].join('\n');
}
