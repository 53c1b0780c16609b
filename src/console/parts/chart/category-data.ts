import type { JsonObject } from '../../api/json.ts';
import { numberOf } from '../table/numeric.ts';
import { cellText } from '../text/cell-text.ts';
import type { ChartChoice } from './chart-choice.ts';
import { maxSeries, nameOf, type Series } from './chart-data.ts';

/** Series over the same categories, those with the largest sums first. */
export interface CategoryData {
  readonly names: readonly string[];
  readonly series: readonly Series[];
  /** How many categories and series were left out. */
  readonly omitted: number;
}

const maxBars = 50;

/** The numbers of each category, added by series. Without columns of numbers, its rows are counted. */
export function categoryData(rows: readonly JsonObject[], choice: ChartChoice): CategoryData {
  const sums = new Map<string, Map<string, number>>();
  const series = new Set<string>();
  for (const row of rows) {
    const category = cellText(row[choice.x]);
    const own = sums.get(category) ?? new Map<string, number>();
    for (const column of choice.y.length === 0 ? ['rows'] : choice.y) {
      const value = choice.y.length === 0 ? 1 : numberOf(row[column]);
      if (value === undefined) continue;
      const name = nameOf(row, choice, column);
      series.add(name);
      sums.set(category, own.set(name, (own.get(name) ?? 0) + value));
    }
  }
  const total = (values: ReadonlyMap<string, number>) =>
    [...values.values()].reduce((sum, value) => sum + value, 0);
  const bars = [...sums].sort(([, one], [, other]) => total(other) - total(one));
  const shown = bars.slice(0, maxBars);
  const all = [...series];
  return {
    names: shown.map(([name]) => name),
    series: all
      .slice(0, maxSeries)
      .map((name) => ({ name, values: shown.map(([, values]) => values.get(name) ?? null) })),
    omitted: bars.length - shown.length + Math.max(0, all.length - maxSeries),
  };
}
