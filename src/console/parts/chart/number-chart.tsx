import { oneLine } from '../text/cell-text.ts';
import type { Total } from './chart-data.ts';
import { changeText, unitOf, valueText } from './units.ts';

interface NumberChartProps {
  readonly label: string;
  readonly totals: readonly Total[];
  /** Those of the period before. */
  readonly before?: readonly Total[] | undefined;
}

/** The sums of columns as large numbers. */
export function NumberChart({ label, totals, before }: NumberChartProps) {
  return (
    <dl class="number-chart" aria-label={label}>
      {totals.map(({ name, value }, index) => (
        <div key={name}>
          <dt>
            <bdi>{oneLine(name)}</bdi>
          </dt>
          <dd>
            {valueText(value, unitOf([name]))}
            {before && (
              <span class="number-change quiet">
                {changeText(value, before[index]?.value ?? 0)} since the period before
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
