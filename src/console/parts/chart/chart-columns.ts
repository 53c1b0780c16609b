import type { JsonObject } from '../../api/json.ts';
import type { TableColumn } from '../table/table-column.ts';
import type { ChartChoice } from './chart-choice.ts';

/** A column, with what a chart can make of it. */
export interface KnownColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** How many values of a category differ. */
  readonly distinct: number;
}

export function knownColumns(
  columns: readonly TableColumn[],
  rows: readonly JsonObject[],
): readonly KnownColumn[] {
  return columns.map((column) => {
    const { name } = column;
    const kind = kindOf(column, rows);
    return { name, kind, distinct: kind === 'category' ? new Set(rows.map((row) => row[name])).size : 0 };
  });
}

/** A chart by default has no more series than this. */
const maxByDefault = 8;

/** The chart that suits the columns best, if any does. */
export function proposeChart(columns: readonly KnownColumn[], rows: number): ChartChoice | undefined {
  const named = (kind: ColumnKind) =>
    columns.filter((column) => column.kind === kind).map(({ name }) => name);
  const [time] = named('time');
  const numbers = named('number');
  const repeated = columns.filter(
    ({ kind, distinct }) => kind === 'category' && distinct > 1 && distinct < rows,
  );
  if (time !== undefined) {
    const split = numbers.length <= 1 ? repeated.find(({ distinct }) => distinct <= maxByDefault) : undefined;
    return {
      type: 'bars',
      x: time,
      y: numbers.slice(0, maxByDefault),
      ...(split && { series: split.name }),
    };
  }
  // Without numbers, rows are counted: a category that never repeats would have bars of 1.
  const [category] = numbers.length > 0 ? named('category') : repeated.map(({ name }) => name);
  return category === undefined ? undefined : { type: 'bars', x: category, y: numbers.slice(0, 1) };
}

/** What a chart can make of a column. */
type ColumnKind = 'time' | 'number' | 'category' | 'other';

const sample = 500;
const time = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?(Z|[+-]\d\d:\d\d)?$/;
/** More different texts than this are no categories. */
const maxCategories = 200;
const maxCategoryLength = 80;

/** The kind of a column, by the values of its first rows. */
function kindOf({ name }: TableColumn, rows: readonly JsonObject[]): ColumnKind {
  const values = rows
    .slice(0, sample)
    .map((row) => row[name] ?? null)
    .filter((value) => value !== null);
  if (values.length === 0) return 'other';
  if (values.every((value) => typeof value === 'number' || typeof value === 'bigint')) return 'number';
  if (values.every((value) => typeof value === 'boolean')) return 'category';
  const texts = values.filter((value) => typeof value === 'string');
  if (texts.length < values.length) return 'other';
  if (texts.every((text) => time.test(text))) return 'time';
  const isShort = texts.every((text) => text.length <= maxCategoryLength);
  return isShort && new Set(texts).size <= maxCategories ? 'category' : 'other';
}

/** Seconds since the epoch of a TIMESTAMP, DATETIME or DATE. Those without a zone are in UTC. */
export function secondsOf(text: string): number {
  const hasZone = /(Z|[+-]\d\d:\d\d)$/.test(text);
  const full = text.includes(':') ? text.replace(' ', 'T') : `${text.slice(0, 10)}T00:00:00`;
  return Date.parse(hasZone ? full : `${full}Z`) / 1000;
}

/** Whether the columns are still there, and of the kinds that a choice needs. */
export function fits({ type, x, y, series }: ChartChoice, columns: readonly KnownColumn[]): boolean {
  const has = (wanted: string, kinds: readonly ColumnKind[]) =>
    columns.some(({ name, kind }) => name === wanted && kinds.includes(kind));
  return (
    (type === 'number' || has(x, type === 'bars' ? ['time', 'category'] : ['time'])) &&
    y.every((column) => has(column, ['number'])) &&
    (series === undefined || has(series, ['category']))
  );
}
