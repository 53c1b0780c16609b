import type { JsonObject } from '../../api/json.ts';
import { isNumeric, sampleOf } from '../table/numeric.ts';
import type { TableColumn } from '../table/table-column.ts';
import type { ChartChoice } from './chart-choice.ts';

/** A column, with what a chart can make of it. */
export interface KnownColumn {
  readonly name: string;
  /** What it is best for comes first: whole numbers such as status codes are categories, too. */
  readonly kinds: readonly ColumnKind[];
  /** How many values differ. */
  readonly distinct: number;
}

export type ColumnKind = 'time' | 'number' | 'category';

export function knownColumns(
  columns: readonly TableColumn[],
  rows: readonly JsonObject[],
): readonly KnownColumn[] {
  return columns.map((column) => {
    const { name } = column;
    const kinds = kindsOf(column, rows);
    const distinct = kinds.includes('category') ? new Set(rows.map((row) => row[name])).size : 0;
    return { name, kinds, distinct };
  });
}

/** The columns that a chart can use as one of the kinds. */
export function columnsOfKind(
  columns: readonly KnownColumn[],
  ...wanted: readonly ColumnKind[]
): readonly KnownColumn[] {
  return columns.filter(({ kinds }) => kinds.some((kind) => wanted.includes(kind)));
}

/** A chart by default has no more series than this. */
const maxByDefault = 8;

/** The chart that suits the columns best, if any does. */
export function proposeChart(columns: readonly KnownColumn[], rows: number): ChartChoice | undefined {
  const best = (kind: ColumnKind) => columns.filter(({ kinds: [first] }) => first === kind);
  const [time] = best('time');
  const numbers = best('number').map(({ name }) => name);
  const repeated = best('category').filter(({ distinct }) => distinct > 1 && distinct < rows);
  if (time !== undefined) {
    const split = numbers.length <= 1 ? repeated.find(({ distinct }) => distinct <= maxByDefault) : undefined;
    return {
      type: 'bars',
      x: time.name,
      y: numbers.slice(0, maxByDefault),
      ...(split && { series: split.name }),
    };
  }
  // Without numbers, rows are counted: a category that never repeats would have bars of 1.
  const [category] = numbers.length > 0 ? best('category') : repeated;
  if (category !== undefined) return { type: 'bars', x: category.name, y: numbers.slice(0, 1) };
  return numbers.length > 0 && rows === 1 ? { type: 'number', x: '', y: numbers } : undefined;
}

/** Whether the columns are still there, and of the kinds that a choice needs. */
export function fits({ type, x, y, series }: ChartChoice, columns: readonly KnownColumn[]): boolean {
  const has = (wanted: string, ...kinds: readonly ColumnKind[]) =>
    columnsOfKind(columns, ...kinds).some(({ name }) => name === wanted);
  const hasX = type === 'bars' ? has(x, 'time', 'category') : has(x, 'time');
  return (
    (type === 'number' || hasX) &&
    y.every((column) => has(column, 'number')) &&
    (series === undefined || has(series, 'category'))
  );
}

const sample = 500;
const time = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?(Z|[+-]\d\d:\d\d)?$/;
/** More different values than this are no categories. */
const maxCategories = 200;
const maxCategoryLength = 80;

/** What a column can be, by its type and the values of some of its rows. */
function kindsOf(column: TableColumn, rows: readonly JsonObject[]): readonly ColumnKind[] {
  const values = sampleOf(rows, sample)
    .map((row) => row[column.name] ?? null)
    .filter((value) => value !== null);
  if (values.length === 0) return [];
  if (values.every((value) => typeof value === 'boolean')) return ['category'];
  const different = new Set(values).size;
  if (isNumeric(column, rows)) {
    const isCode = different <= maxCategories && values.every((value) => /^-?\d{1,15}$/.test(String(value)));
    if (!isCode) return ['number'];
    // Texts of digits may be codes: those that repeat are.
    const isRepeatedText =
      typeof values[0] === 'string' && column.type === undefined && different < values.length;
    return isRepeatedText ? ['category', 'number'] : ['number', 'category'];
  }
  const texts = values.filter((value) => typeof value === 'string');
  if (texts.length < values.length) return [];
  if (texts.every((text) => time.test(text))) return ['time'];
  const isShort = texts.every((text) => text.length <= maxCategoryLength);
  return isShort && different <= maxCategories ? ['category'] : [];
}

/** Seconds since the epoch of a TIMESTAMP, DATETIME or DATE. Those without a zone are in UTC. */
export function secondsOf(text: string): number {
  const hasZone = /(Z|[+-]\d\d:\d\d)$/.test(text);
  const full = text.includes(':') ? text.replace(' ', 'T') : `${text.slice(0, 10)}T00:00:00`;
  return Date.parse(hasZone ? full : `${full}Z`) / 1000;
}
