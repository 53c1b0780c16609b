import type { ChartChoice } from './chart-choice.ts';
import { type Series, stepOf, type TimeData } from './chart-data.ts';
import { stacked, sumOf, totalOf } from './stack.ts';
import { changeText } from './units.ts';

export type TimeType = Exclude<ChartChoice['type'], 'number'>;

/** A series as a chart has it. */
export interface DrawnSeries {
  /** What it is hidden by. */
  readonly key: string;
  readonly name: string;
  /** The place of its colour, whatever other series are hidden. */
  readonly place: number;
  readonly colour?: string | undefined;
  readonly isBefore: boolean;
  readonly isShown: boolean;
  /** Its own numbers. */
  readonly values: readonly (number | null | undefined)[];
  /** Where it ends: on top of others if the chart stacks. Undefined where other series only have times. */
  readonly ends: readonly (number | null | undefined)[];
}

export interface DrawnData {
  readonly times: readonly number[];
  readonly series: readonly DrawnSeries[];
}

interface Given {
  readonly data: TimeData;
  /** The period before, at the times of the present one. */
  readonly before?: TimeData | undefined;
  readonly type: TimeType;
  readonly hidden: ReadonlySet<string>;
}

/** The key of the period before: no name of a series has this character. */
const beforeKey = (name: string) => `\u0000${name}`;

/** What a chart draws of its series: stacks of the shown ones, and lines of the period before. */
export function drawnData({ data, before, type, hidden }: Given): DrawnData {
  const isShown = ({ name }: Series) => !hidden.has(name);
  const ends =
    type === 'lines'
      ? data.series.map((one) => one.values.map((value) => (isShown(one) ? value : null)))
      : stacked(data.series, isShown, type === 'area');
  const present = data.series.map((one, place) => ({
    ...one,
    ...{ key: one.name, place, isBefore: false, isShown: isShown(one), ends: ends[place] ?? [] },
  }));
  if (before === undefined || before.times.length === 0) return { times: data.times, series: present };
  const snapped = snap(before.times, data.times);
  const times = [...new Set([...data.times, ...snapped])].sort((one, other) => one - other);
  const series = [
    ...present.map((one) => ({
      ...one,
      values: placed(one.values, data.times, times),
      ends: placed(one.ends, data.times, times),
    })),
    ...beforeSeries(before, data, type, isShown).map((one) => {
      const values = placed(one.values, snapped, times);
      const key = beforeKey(one.name);
      const drawn = { ...one, key, values, isBefore: true, isShown: !hidden.has(key) };
      return { ...drawn, ends: drawn.isShown ? values : values.map(() => null) };
    }),
  ];
  return { times, series };
}

/** One line of sums over a stack; or a line for each line. */
function beforeSeries(
  before: TimeData,
  data: TimeData,
  type: TimeType,
  isShown: (series: Series) => boolean,
): readonly (Series & { readonly place: number })[] {
  if (type !== 'lines') {
    const values = sumOf(before.series, isShown);
    return [{ name: 'before', place: 0, values }];
  }
  return data.series.flatMap(({ name, colour }, place) => {
    const own = before.series.find((one) => one.name === name);
    if (own === undefined || !isShown(own)) return [];
    return [
      { name: data.series.length === 1 ? 'before' : `${name} before`, place, values: own.values, colour },
    ];
  });
}

/** Times of the period before that almost are times of the present one, such as those of months, are taken for them. */
function snap(times: readonly number[], present: readonly number[]): readonly number[] {
  const step = stepOf(present);
  if (!Number.isFinite(step)) return times;
  let at = 0;
  return times.map((time) => {
    while (at < present.length - 1 && distance(present[at + 1], time) <= distance(present[at], time)) at += 1;
    const nearest = present[at];
    return nearest !== undefined && Math.abs(nearest - time) < step / 2 ? nearest : time;
  });
}

function distance(one: number | undefined, other: number): number {
  return Math.abs((one ?? 0) - other);
}

function placed<T>(
  values: readonly T[],
  own: readonly number[],
  times: readonly number[],
): readonly (T | undefined)[] {
  const places = new Map(own.map((time, index) => [time, index]));
  return times.map((time) => {
    const place = places.get(time);
    return place === undefined ? undefined : values[place];
  });
}

/** How the sums of the shown series have changed since the period before. Undefined without one. */
export function changeOf({ series }: DrawnData): string | undefined {
  if (!series.some(({ isBefore }) => isBefore)) return undefined;
  const total = (isBefore: boolean) =>
    series
      .filter((one) => one.isShown && one.isBefore === isBefore)
      .reduce((sum, { values }) => sum + totalOf(values.map((value) => value ?? null)), 0);
  return changeText(total(false), total(true));
}
