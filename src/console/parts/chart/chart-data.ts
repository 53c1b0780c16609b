import type { Json, JsonObject } from '../../api/json.ts';
import { cellText } from '../text/cell-text.ts';
import type { ChartChoice } from './chart-choice.ts';
import { secondsOf } from './column-kinds.ts';

export interface Series {
  readonly name: string;
  /** A value for each time; null where there is none. */
  readonly values: readonly (number | null)[];
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
const mostSeries = 12;

/** The rows as series. Where several rows have the same time and series, their numbers are added. */
export function timeData(rows: readonly JsonObject[], { x, y, series }: ChartChoice): TimeData {
  const values = new Map<string, Map<number, number>>();
  const times = new Set<number>();
  for (const row of rows) {
    const time = typeof row[x] === 'string' ? secondsOf(row[x]) : Number.NaN;
    if (!Number.isFinite(time)) continue;
    times.add(time);
    for (const column of y) {
      const number = numberOf(row[column]);
      if (number === undefined) continue;
      const name = nameOf(series === undefined ? undefined : row[series], column, y.length);
      const own = values.get(name) ?? new Map<number, number>();
      values.set(name, own);
      own.set(time, (own.get(time) ?? 0) + number);
    }
  }
  const ordered = [...times].sort((one, other) => one - other);
  const all = [...values].map(([name, own]) => ({
    name,
    values: ordered.map((time) => own.get(time) ?? null),
  }));
  return { times: ordered, series: all.slice(0, mostSeries), omitted: Math.max(0, all.length - mostSeries) };
}

function nameOf(category: Json | undefined, column: string, columns: number): string {
  if (category === undefined) return column;
  return columns === 1 ? cellText(category) : `${cellText(category)} ${column}`;
}

export interface CategoryBar {
  readonly name: string;
  readonly value: number;
}

const mostBars = 50;

/** A bar for each category, the longest first. */
export function categoryData(
  rows: readonly JsonObject[],
  { x, y }: ChartChoice,
): { readonly bars: readonly CategoryBar[]; readonly omitted: number } {
  const sums = new Map<string, number>();
  for (const row of rows) {
    const number = numberOf(row[y[0] ?? '']);
    if (number === undefined) continue;
    const name = cellText(row[x]);
    sums.set(name, (sums.get(name) ?? 0) + number);
  }
  const bars = [...sums]
    .map(([name, value]) => ({ name, value }))
    .sort((one, other) => other.value - one.value);
  return { bars: bars.slice(0, mostBars), omitted: Math.max(0, bars.length - mostBars) };
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
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
