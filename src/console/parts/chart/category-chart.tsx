import { oneLine } from '../text/cell-text.ts';
import { CategoryBar, drawBars } from './category-bar.tsx';
import type { CategoryData } from './category-data.ts';
import { ChartActions } from './chart-actions.tsx';
import { ChartTable } from './chart-table.tsx';
import { Legend, type LegendEntry } from './legend.tsx';
import { styleOf } from './series-style.ts';
import { sumOf, totalOf } from './stack.ts';
import { changeText, type Unit, valueText } from './units.ts';
import { useColours } from './use-colours.ts';
import { useHidden } from './use-hidden.ts';

interface CategoryChartProps {
  readonly label: string;
  readonly data: CategoryData;
  /** The categories of the period before. */
  readonly before?: CategoryData | undefined;
  /** The column of the categories. */
  readonly across: string;
  readonly unit?: Unit | undefined;
}

/** A horizontal bar for each category, of the series that are shown. */
export function CategoryChart({ label, data, before, across, unit }: CategoryChartProps) {
  const colours = useColours();
  const hidden = useHidden();
  const isShown = ({ name }: { readonly name: string }) => !hidden.keys.has(name);
  const sums = sumOf(data.series, isShown);
  const sumsBefore = before && sumOf(before.series, isShown);
  const most = Math.max(...sums.map((sum) => Math.abs(sum ?? 0)), 0);
  const entries = data.series.map(
    ({ name, values, colour }, place): LegendEntry => ({
      ...{ key: name, name, isLine: false, isShown: !hidden.keys.has(name) },
      style: styleOf(place, colour, colours),
      value: valueText(totalOf(values), unit),
    }),
  );
  const bars = data.names.map((name, index) => {
    const sum = sums[index] ?? 0;
    const placeBefore = before?.names.indexOf(name) ?? -1;
    const change = sumsBefore && ` (${changeText(sum, sumsBefore[placeBefore] ?? 0)})`;
    return {
      name: oneLine(name),
      text: `${valueText(sum, unit)}${change ?? ''}`,
      parts: data.series.flatMap((one, place) => {
        const value = isShown(one) ? (one.values[index] ?? 0) : 0;
        const entry = entries[place];
        return value === 0 || most === 0 || !entry
          ? []
          : [{ name: one.name, part: Math.abs(value) / most, style: entry.style }];
      }),
    };
  });
  const total = `${valueText(totalOf(sums), unit)} in total${before ? `, ${changeText(totalOf(sums), totalOf(sumsBefore ?? []))} since the period before` : ''}`;
  return (
    <>
      <ul class="bars" aria-label={label}>
        {bars.map((bar, index) => (
          <CategoryBar key={data.names[index]} {...bar} />
        ))}
      </ul>
      <Legend
        entries={entries}
        caption={total}
        onToggle={hidden.toggle}
        onOnly={(key) =>
          hidden.only(
            key,
            data.series.map(({ name }) => name),
          )
        }
        onAll={hidden.showAll}
      />
      <ChartActions
        colours={colours}
        picture={() => ({
          ...{ title: label, note: total, legend: entries },
          ...drawBars(bars, colours),
        })}
        table={() => (
          <ChartTable
            {...{ label, across }}
            names={data.names}
            series={data.series.filter(isShown)}
            text={(value) => valueText(value, unit)}
          />
        )}
      />
    </>
  );
}
