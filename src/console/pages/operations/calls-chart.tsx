import { useMemo } from 'preact/hooks';
import { TimeChart } from '../../parts/chart/time-chart.tsx';
import { callRates, type Snapshot } from './snapshots.ts';

const kinds = [
  { name: 'hit', text: 'from the cache' },
  { name: 'miss', text: 'from the engine, cached' },
  { name: 'bypass', text: 'from the engine, not cached' },
  { name: 'stale', text: 'out of date' },
] as const;

/** Calls of endpoints by second, since the page was opened. */
export function CallsChart({ snapshots }: { readonly snapshots: readonly Snapshot[] }) {
  const data = useMemo(() => {
    const points = callRates(snapshots);
    return {
      times: points.map(({ at }) => Math.round(at / 1000)),
      series: kinds.map(({ name, text }) => ({
        name: text,
        values: points.map(({ rates }) => Math.round((rates[name] ?? 0) * 100) / 100),
      })),
      omitted: 0,
    };
  }, [snapshots]);
  return (
    <figure class="card chart-view">
      <figcaption class="quiet">Calls of endpoints by second, while this page was open</figcaption>
      {data.times.length < 2 ? (
        <p class="calls-wait quiet">The chart begins in a few seconds.</p>
      ) : (
        <TimeChart data={data} form="lines" height={180} label="Calls of endpoints by second" />
      )}
    </figure>
  );
}
