import type { Total } from './chart-data.ts';

interface NumberChartProps {
  readonly label: string;
  readonly totals: readonly Total[];
}

/** The sums of columns as large numbers. */
export function NumberChart({ label, totals }: NumberChartProps) {
  return (
    <dl class="number-chart" aria-label={label}>
      {totals.map(({ name, value }) => (
        <div key={name}>
          <dt>
            <bdi>{name}</bdi>
          </dt>
          <dd>{value.toLocaleString('en')}</dd>
        </div>
      ))}
    </dl>
  );
}
