import type { Json, JsonObject } from '../../api/json.ts';
import { cellText } from '../text/cell-text.ts';
import type { ChartChoice } from './chart-choice.ts';
import { secondsOf } from './chart-columns.ts';
import { wholeTimeSteps } from './time-steps.ts';

export interface Series {
  readonly name: string;
  /** A value for each time; null where there is none. */
  readonly values: readonly (number | null)[];
  /** The variable of the style sheet with its colour, if it isn't that of its place. */
  readonly colour?: string | undefined;
}

/** Series over the same times. */
export interface TimeData {
  /** In seconds since the epoch, ascending. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  /** How many series were left out. */
  readonly omitted: number;
}

/** The eye tells no more colours apart. */
const maxSeries = 12;

/**
 * The rows as series. Where several rows have the same time and series, their numbers are added. Without columns of
 * numbers, the rows of equal spans are counted.
 */
export function timeData(rows: readonly JsonObject[], { x, y, series }: ChartChoice): TimeData {
  const timed = rows
    .map((row) => ({ row, time: typeof row[x] === 'string' ? secondsOf(row[x]) : Number.NaN }))
    .filter(({ time }) => Number.isFinite(time));
  const category = (row: JsonObject) => (series === undefined ? undefined : row[series]);
  if (y.length === 0)
    return countsOf(timed.map(({ row, time }) => ({ time, name: nameOf(category(row), 'rows', 1) })));
  const points = timed.flatMap(({ row, time }) =>
    y.flatMap((column) => {
      const value = numberOf(row[column]);
      return value === undefined ? [] : [{ time, value, name: nameOf(category(row), column, y.length) }];
    }),
  );
  const times = [...new Set(timed.map(({ time }) => time))].sort((one, other) => one - other);
  return seriesOver(times, points, null);
}

interface Point {
  readonly time: number;
  readonly name: string;
  readonly value: number;
}

/** How many rows each span of time has. */
function countsOf(rows: readonly Omit<Point, 'value'>[]): TimeData {
  const times = rows.map(({ time }) => time);
  // Not by spreading the list: calls take no more than about 100,000 arguments.
  const first = times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  const last = times.reduce((most, time) => Math.max(most, time), Number.NEGATIVE_INFINITY);
  if (times.length === 0) return { times: [], series: [], omitted: 0 };
  const step = bucketSeconds(last - first);
  const bucketOf = (time: number) => Math.floor(time / step) * step;
  const buckets = Math.round((bucketOf(last) - bucketOf(first)) / step) + 1;
  const starts = Array.from({ length: buckets }, (_, index) => bucketOf(first) + index * step);
  return seriesOver(
    starts,
    rows.map(({ time, name }) => ({ time: bucketOf(time), name, value: 1 })),
    0,
  );
}

const maxBuckets = 60;

/** The length of buckets that divide a span, in seconds: a length that clocks and calendars have. */
function bucketSeconds(span: number): number {
  const least = span / (maxBuckets - 1);
  return wholeTimeSteps.find((step) => step >= least) ?? least;
}

/** @param absent the value at times for which a series has none */
function seriesOver(times: readonly number[], points: readonly Point[], absent: number | null): TimeData {
  const values = new Map<string, Map<number, number>>();
  for (const { time, name, value } of points) {
    const own = values.get(name) ?? new Map<number, number>();
    values.set(name, own.set(time, (own.get(time) ?? 0) + value));
  }
  const all = [...values].map(([name, own]) => ({
    name,
    values: times.map((time) => own.get(time) ?? absent),
  }));
  return { times, series: all.slice(0, maxSeries), omitted: Math.max(0, all.length - maxSeries) };
}

function nameOf(category: Json | undefined, column: string, columns: number): string {
  if (category === undefined) return column;
  return columns === 1 ? cellText(category) : `${cellText(category)} ${column}`;
}

export interface CategoryBar {
  readonly name: string;
  readonly value: number;
}

const maxBars = 50;

/** A bar for each category, the longest first. */
export function categoryData(
  rows: readonly JsonObject[],
  { x, y }: ChartChoice,
): { readonly bars: readonly CategoryBar[]; readonly omitted: number } {
  const sums = new Map<string, number>();
  for (const row of rows) {
    const number = y[0] === undefined ? 1 : numberOf(row[y[0]]);
    if (number === undefined) continue;
    const name = cellText(row[x]);
    sums.set(name, (sums.get(name) ?? 0) + number);
  }
  const bars = [...sums]
    .map(([name, value]) => ({ name, value }))
    .sort((one, other) => other.value - one.value);
  return { bars: bars.slice(0, maxBars), omitted: Math.max(0, bars.length - maxBars) };
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}

export interface Total {
  readonly name: string;
  readonly value: number;
}

/** The sum of each column of numbers; without columns, how many rows there are. */
export function totals(rows: readonly JsonObject[], y: ChartChoice['y']): readonly Total[] {
  if (y.length === 0) return [{ name: 'rows', value: rows.length }];
  return y.map((name) => ({
    name,
    value: rows.reduce((sum, row) => sum + (numberOf(row[name]) ?? 0), 0),
  }));
}

/** Each series on top of those before it. */
export function stacked(series: readonly Series[]): readonly (readonly (number | null)[])[] {
  const sums: number[] = [];
  return series.map(({ values }) =>
    values.map((value, index) => {
      if (value === null) return null;
      sums[index] = (sums[index] ?? 0) + value;
      return sums[index] ?? 0;
    }),
  );
}
