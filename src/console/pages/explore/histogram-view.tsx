import { TimeChart } from '../../parts/chart/time-chart.tsx';
import { FailureFace } from '../../parts/faces/faces.tsx';
import { counted, spanText } from '../../parts/text/number-text.ts';
import { rangeBefore, type TimeRange } from '../../parts/time/time-range.ts';
import type { Asked } from './asked/use-answer.ts';
import { NewestRow } from './newest-row.tsx';
import type { Exploration } from './question/exploration.ts';
import type { ExploredTable } from './question/explored-table.ts';
import { type Histogram, wholeBars } from './question/histogram.ts';

interface HistogramViewProps {
  /** Undefined until it is there. */
  readonly histogram: Histogram | undefined;
  readonly span: TimeRange;
  /** Of a bar, in seconds. */
  readonly step: number;
  readonly failure: unknown;
  readonly isStale: boolean;
  readonly table: ExploredTable;
  readonly exploration: Exploration;
  readonly asked: Asked;
  readonly onRetry: () => void;
  readonly onRange: (range: TimeRange) => void;
}

/** The rows of the range as bars over time, by level. A span that is drawn becomes the range. */
export function HistogramView(props: HistogramViewProps) {
  const { histogram, span, step, failure, table, exploration, asked, onRetry, onRange } = props;
  if (failure !== undefined) return <FailureFace failure={failure} onRetry={onRetry} />;
  const length = span.to - span.from;
  return (
    <figure class="card explore-histogram">
      <figcaption>
        <span role="status">
          {histogram === undefined ? 'Counting…' : <strong>{counted(histogram.total, 'row')}</strong>}
        </span>
        <ul class="rate-legend" aria-label="Rows by level">
          {[...(histogram?.counts ?? [])].map(
            ([name, count]) =>
              name !== 'rows' && (
                <li key={name}>
                  <span class={`swatch severity-${name}`} aria-hidden="true" />
                  {name === 'none' ? 'no level' : name} {count.toLocaleString('en')}
                </li>
              ),
          )}
        </ul>
        <span class="quiet">one bar is {spanText(step)}; drag to zoom in</span>
        <span class="explore-steps">
          <button
            type="button"
            aria-label="Earlier"
            title="Earlier"
            onClick={() => onRange(rangeBefore(span))}
          >
            ←
          </button>
          <button
            type="button"
            aria-label="Later"
            title="Later"
            onClick={() => onRange({ from: span.to, to: span.to + length })}
          >
            →
          </button>
          <button
            type="button"
            onClick={() => onRange({ from: span.from - length / 2, to: span.to + length / 2 })}
          >
            Zoom out
          </button>
        </span>
      </figcaption>
      <div class="explore-chart">
        {histogram !== undefined && histogram.total > 0 && (
          <TimeChart
            data={histogram.data}
            type="bars"
            height={132}
            hasLegend={false}
            range={span}
            onRange={(drawn) => onRange(wholeBars(drawn, step))}
            label={`Rows in each ${spanText(step)}, by level`}
          />
        )}
        {histogram?.total === 0 && <NewestRow {...{ table, exploration, asked, onRange }} />}
      </div>
    </figure>
  );
}
