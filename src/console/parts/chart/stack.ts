import type { Series } from './chart-data.ts';

type Values = readonly (number | null)[];

/**
 * The ends of stacked series: each on top of those before it that are shown, negative numbers below zero. Series that aren't shown
 * have no ends.
 *
 * @param joins whether a series without a value ends where the one before it does, as areas do, instead of having a gap
 */
export function stacked(
  series: readonly Series[],
  isShown: (series: Series) => boolean,
  joins = false,
): readonly Values[] {
  const above: number[] = [];
  const below: number[] = [];
  return series.map((one) => {
    const { values } = one;
    if (!isShown(one)) return values.map(() => null);
    return values.map((value, index) => {
      const isGap = value === null && !(joins && series.some((other) => other.values[index] != null));
      if (isGap) return null;
      const sums = (value ?? 0) < 0 ? below : above;
      sums[index] = (sums[index] ?? 0) + (value ?? 0);
      return sums[index] ?? 0;
    });
  });
}

/** The sum of the shown series at each place; null where none has a value. */
export function sumOf(series: readonly Series[], isShown: (series: Series) => boolean): Values {
  const shown = series.filter(isShown);
  const length = series[0]?.values.length ?? 0;
  return Array.from({ length }, (_, index) =>
    shown.reduce<number | null>((sum, { values }) => {
      const value = values[index] ?? null;
      return value === null ? sum : (sum ?? 0) + value;
    }, null),
  );
}

/** @param isWanted which places count */
export function totalOf(values: Values, isWanted: (index: number) => boolean = () => true): number {
  return values.reduce<number>((sum, value, index) => sum + (isWanted(index) ? (value ?? 0) : 0), 0);
}
