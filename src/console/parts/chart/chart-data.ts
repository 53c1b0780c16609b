import type { Json, JsonObject } from '../../api/json.ts';
import { numberOf } from '../table/numeric.ts';
import { cellText } from '../text/cell-text.ts';
import type { ChartChoice } from './chart-choice.ts';
import { secondsOf } from './chart-columns.ts';
import { wholeTimeSteps } from './time-steps.ts';

export interface Series {
  readonly name: string;
  /** A value for each time or category; null where there is none. */
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

/** The rows of another period, to compare with. */
export interface BeforeRows {
  readonly rows: readonly JsonObject[];
  /** How much later the present rows are, in milliseconds. */
  readonly shift: number;
}

/** The eye tells no more colours apart. */
export const maxSeries = 12;

/**
 * The rows as series. Where several rows have the same time and series, their numbers are added. Without columns of
 * numbers, the rows of equal spans are counted.
 *
 * @param shift is added to the times of the rows, in milliseconds
 */
export function timeData(rows: readonly JsonObject[], choice: ChartChoice, shift = 0): TimeData {
  const { x, y } = choice;
  const timed = rows
    .map((row) => ({
      row,
      time: (typeof row[x] === 'string' ? secondsOf(row[x]) : Number.NaN) + shift / 1000,
    }))
    .filter(({ time }) => Number.isFinite(time));
  if (y.length === 0)
    return countsOf(timed.map(({ row, time }) => ({ time, name: nameOf(row, choice, 'rows') })));
  const points = timed.flatMap(({ row, time }) =>
    y.flatMap((column) => {
      const value = numberOf(row[column]);
      return value === undefined ? [] : [{ time, value, name: nameOf(row, choice, column) }];
    }),
  );
  const times = [...new Set(timed.map(({ time }) => time))].sort((one, other) => one - other);
  return seriesOver(withGaps(times), points, null);
}

/** The name of the series that a value of a row belongs to. */
export function nameOf(row: JsonObject, { y, series }: ChartChoice, column: string): string {
  const category: Json | undefined = series === undefined ? undefined : row[series];
  if (series === undefined) return column;
  return y.length <= 1 ? cellText(category) : `${cellText(category)} ${column}`;
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

/** A chart of more times than this is not filled up. */
const maxFilled = 5_000;

/** The times of equal buckets with those that have no rows: a line breaks there instead of passing over them. */
function withGaps(times: readonly number[]): readonly number[] {
  const [first, last] = [times[0], times.at(-1)];
  const step = stepOf(times);
  if (first === undefined || last === undefined || !Number.isFinite(step)) return times;
  const count = Math.round((last - first) / step) + 1;
  const isRegular = times.length > 2 && times.every((time) => Number.isInteger((time - first) / step));
  if (!isRegular || count > maxFilled || count === times.length) return times;
  return Array.from({ length: count }, (_, index) => first + index * step);
}

/** The shortest distance of times, in seconds. Infinity if there is none. */
export function stepOf(times: readonly number[]): number {
  return times
    .slice(1)
    .reduce((least, time, index) => Math.min(least, time - (times[index] ?? 0)), Number.POSITIVE_INFINITY);
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
