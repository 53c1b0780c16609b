import type { JsonObject } from '../../../api/json.ts';
import type { Series, TimeData } from '../../../parts/chart/chart-data.ts';
import { wholeTimeSteps } from '../../../parts/chart/time-steps.ts';
import { levelOf, type Severity, severities } from '../../../parts/level/level.ts';
import type { TimeRange } from '../../../parts/time/time-range.ts';

const maxBars = 90;

/** The length of the bars that divide a span, in seconds: a length that clocks have. */
export function stepOf({ from, to }: TimeRange): number {
  const least = (to - from) / 1000 / maxBars;
  return wholeTimeSteps.find((step) => step >= least) ?? Math.ceil(least);
}

/** Rows by time and level. */
export interface Histogram {
  readonly data: TimeData;
  readonly total: number;
  /** How many rows each series has, by its name. */
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * The bars of a histogram's rows, each at its middle: every step of the span has one, be there rows or not.
 *
 * @param name of the field that splits them; undefined if none does
 */
export function histogramOf(
  rows: readonly JsonObject[],
  { from, to }: TimeRange,
  step: number,
  name: string | undefined,
): Histogram {
  const first = Math.floor(from / 1000 / step) * step;
  const length = Math.max(1, Math.ceil((to / 1000 - first) / step));
  const values = new Map<string, number[]>();
  for (const { second, value, row_count: count } of rows) {
    const severity: Severity | 'rows' =
      name === undefined ? 'rows' : levelOf({ [name]: value ?? null }).severity;
    const own = values.get(severity) ?? Array.from({ length }, () => 0);
    const at = Math.round((Number(second) - first) / step);
    if (at >= 0 && at < length) own[at] = (own[at] ?? 0) + Number(count);
    values.set(severity, own);
  }
  const names = name === undefined ? ['rows'] : severities;
  const series = names.flatMap((own): readonly Series[] => {
    const found = values.get(own);
    if (found === undefined) return [];
    return [{ name: own, values: found, ...(name !== undefined && { colour: `--severity-${own}` }) }];
  });
  const counts = new Map(series.map((one) => [one.name, sum(one.values)]));
  const times = Array.from({ length }, (_, index) => first + (index + 0.5) * step);
  return { data: { times, series, omitted: 0 }, total: sum([...counts.values()]), counts };
}

function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

/** The whole bars that a drawn span touches. */
export function wholeBars({ from, to }: TimeRange, step: number): TimeRange {
  const size = step * 1000;
  return {
    from: Math.floor(from / size) * size,
    to: Math.max(Math.ceil(to / size), Math.floor(from / size) + 1) * size,
  };
}
