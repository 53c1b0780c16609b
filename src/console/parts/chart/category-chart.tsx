import type { CategoryBar } from './chart-data.ts';

interface CategoryChartProps {
  readonly label: string;
  readonly bars: readonly CategoryBar[];
}

/** A horizontal bar for each category. */
export function CategoryChart({ label, bars }: CategoryChartProps) {
  const most = Math.max(...bars.map(({ value }) => Math.abs(value)), 0);
  return (
    <ul class="bars" aria-label={label}>
      {bars.map(({ name, value }) => (
        <li key={name}>
          <bdi class="bars-name" title={name}>
            {name}
          </bdi>
          <span class="bars-track">
            <span class="bars-bar" style={{ width: `${most === 0 ? 0 : (100 * Math.abs(value)) / most}%` }} />
          </span>
          <span class="bars-value">{value.toLocaleString('en')}</span>
        </li>
      ))}
    </ul>
  );
}
