import { noPaint, type Paint } from '../../../base/terminal/paint.ts';
import { padded, textWidth } from '../../../base/terminal/text-width.ts';
import { visibleText, withoutCommand } from '../../../base/terminal/visible-text.ts';
import { isList, isObject, type Json, type JsonObject } from '../../../base/text/exact-json.ts';
import { jsonText } from '../../../rows/ingest/encode/json-text.ts';
import type { ComparedRows, Failure } from '../compare/judge.ts';
import type { RowPair } from '../compare/pair-rows.ts';
import { differingColumns, valueDifferences } from '../compare/row-differences.ts';
import type { CaseResult } from './result.ts';

/** Why a case failed: a sentence, and the rows that show it, in lines. */
export function failureText({ text, rows, actual = [] }: Failure, paint: Paint): string[] {
  const legend = `  ${paint.red('- expected')}  ${paint.green('+ actual')}`;
  return [
    ...shownLines(text),
    ...(rows === undefined ? [] : [legend, ...indented(differenceTable(rows, paint))]),
    ...(actual.length === 0 ? [] : indented(plainTable(actual, paint))),
  ].map(withoutCommand);
}

/** Why a case failed, without colours. */
export function plainFailure({ failures }: Pick<CaseResult, 'failures'>): string {
  return failures.flatMap((failure) => failureText(failure, noPaint)).join('\n');
}

/** What looks like a command of GitHub Actions stays on the line before. */
function shownLines(text: string): string[] {
  return text.split(/\n(?!\s*::)/).map(visibleText);
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/** Wider cells are shortened. What differs within them follows the table. */
const cellWidth = 36;
/** Unchanged rows that are shown beside changed ones. */
const context = 1;
const maxLines = 60;
const maxDetails = 12;

interface TableLine {
  readonly sign: ' ' | '-' | '+';
  readonly cells: readonly string[];
  /** The columns that are marked. */
  readonly marked: ReadonlySet<number>;
}

/** The differences of rows as lines of a table: `-` is expected, `+` is what came. */
export function differenceTable({ pairs, partial, columns }: ComparedRows, paint: Paint): string[] {
  const named = new Set(pairs.flatMap(({ expected = {} }) => Object.keys(expected)));
  const known = columns.filter((name) => !partial || named.has(name));
  const shown = [...known, ...[...named].filter((name) => !columns.includes(name))];
  const lines: (TableLine | 'gap')[] = [];
  const details: string[] = [];
  for (const [index, pair] of pairs.entries()) {
    const near = pairs.slice(Math.max(0, index - context), index + context + 1);
    if (near.every(({ isSame }) => isSame)) {
      if (lines.at(-1) !== 'gap') lines.push('gap');
      continue;
    }
    lines.push(...linesOf(pair, shown, partial));
    details.push(...detailsOf(pair, index + 1, partial));
  }
  return [
    ...drawn(shown, lines, paint),
    ...limited(details, maxDetails, 'differences').map((detail) => paint.dim(detail)),
  ];
}

/** Rows as lines of a table. */
function plainTable(rows: readonly JsonObject[], paint: Paint): string[] {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return drawn(
    columns,
    rows.map((row) => ({ sign: ' ', cells: cellsOf(row, columns), marked: new Set() })),
    paint,
  );
}

function linesOf(
  { expected, actual, isSame }: RowPair,
  columns: readonly string[],
  partial: boolean,
): TableLine[] {
  if (isSame && actual !== undefined)
    return [{ sign: ' ', cells: cellsOf(actual, columns), marked: new Set() }];
  const differing =
    expected && actual ? new Set(differingColumns(expected, actual, partial)) : new Set(columns);
  const marked = new Set(columns.flatMap((name, index) => (differing.has(name) ? [index] : [])));
  return [
    ...(expected ? [{ sign: '-', cells: cellsOf(expected, columns), marked } as const] : []),
    ...(actual ? [{ sign: '+', cells: cellsOf(actual, columns), marked } as const] : []),
  ];
}

/** The differences within values that a cell doesn't show. */
function detailsOf({ expected, actual, isSame }: RowPair, number: number, partial: boolean): string[] {
  if (isSame || expected === undefined || actual === undefined) return [];
  return differingColumns(expected, actual, partial).flatMap((name) => {
    const [before, after] = [expected[name], actual[name]];
    if (before === undefined || after === undefined) return [];
    const fits = textWidth(cellText(before)) <= cellWidth && textWidth(cellText(after)) <= cellWidth;
    if (fits && !(isNested(before) && isNested(after))) return [];
    return [...valueDifferences(name, before, after)].map((each) =>
      visibleText(`row ${number}, ${each.path}: expected ${each.expected}, got ${each.actual}`),
    );
  });
}

function isNested(value: Json): boolean {
  return isObject(value) || isList(value);
}

function cellsOf(row: JsonObject, columns: readonly string[]): string[] {
  return columns.map((name) => {
    const value = row[name];
    return value === undefined ? '' : shortened(cellText(value));
  });
}

/** As YAML: a text has quotes only where it could be taken for something else, such as a command of GitHub Actions. */
function cellText(value: Json): string {
  return visibleText(yamlText(value));
}

function yamlText(value: Json): string {
  if (typeof value !== 'string') return jsonText(value);
  const isOther = /^(?:true|false|null|~|[-+]?(?:\.\d+|\d+\.?\d*)(?:[eE][-+]?\d+)?)$/.test(value);
  const isPlain = !isOther && /^(?!::)[^\s\p{Cf}"'[{](?:.*\S)?$/u.test(value);
  return isPlain ? value : JSON.stringify(value);
}

function shortened(text: string): string {
  return padded(text, Math.min(textWidth(text), cellWidth), false);
}

function heading(name: string): string {
  return shortened(visibleText(name));
}

function drawn(columns: readonly string[], lines: readonly (TableLine | 'gap')[], paint: Paint): string[] {
  const rows = lines.flatMap((line) => (line === 'gap' ? [] : [line.cells]));
  const widths = columns.map((name, index) =>
    Math.max(...[heading(name), ...rows.map((cells) => cells[index] ?? '')].map(textWidth)),
  );
  const aligned = (cells: readonly string[], style: (text: string, index: number) => string) =>
    cells
      .map((text, index) => style(padded(text, widths[index] ?? 0, false), index))
      .join('  ')
      .trimEnd();
  const texts = lines.map((line) => {
    if (line === 'gap') return paint.dim('  …');
    const { sign, cells, marked } = line;
    if (sign === ' ') return paint.dim(`  ${aligned(cells, (text) => text)}`);
    const colour = sign === '-' ? paint.red : paint.green;
    const style = (text: string, index: number) => (marked.has(index) ? paint.bold(colour(text)) : text);
    return `${colour(sign)} ${aligned(cells, style)}`;
  });
  const head = `  ${aligned(columns.map(heading), (text) => text)}`;
  return [paint.bold(head), ...limited(texts, maxLines, 'lines')];
}

function limited(lines: readonly string[], limit: number, what: string): string[] {
  if (lines.length <= limit) return [...lines];
  return [...lines.slice(0, limit), `  … and ${lines.length - limit} more ${what}`];
}
