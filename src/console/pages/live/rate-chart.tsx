import { useId, useMemo, useRef } from 'preact/hooks';
import { TimeChart } from '../../parts/chart/time-chart.tsx';
import { severities } from '../../parts/level/level.ts';
import { useSeconds } from '../../parts/loading/use-load.ts';
import type { TimeRange } from '../../parts/time/time-range.ts';
import { clockText } from './rows/log-item.ts';
import { bucketMs, bucketOf, type Rates } from './rows/rates.ts';

interface RateChartProps {
  readonly rates: Rates;
  /** The span that is chosen. */
  readonly brush: TimeRange | undefined;
  readonly onBrush: (brush: TimeRange | undefined) => void;
}

/**
 * The rows of the last minutes as bars. A span can be chosen by dragging, one bar by a click, and both by the arrow keys: they
 * move the span, with Shift they widen it, and Escape clears it.
 */
export function RateChart({ rates, brush, onBrush }: RateChartProps) {
  const id = useId();
  const seconds = useSeconds();
  const { range, data, counts, loaded } = useMemo(() => {
    const span = rates.rangeAt(Date.now());
    const bars = rates.dataOf(span);
    return {
      range: span,
      data: bars,
      loaded: rates.loadedOf(span),
      counts: bars.series.map(({ values }) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0)),
    };
  }, [rates, seconds]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowLeft' ? -bucketMs : event.key === 'ArrowRight' ? bucketMs : 0;
    if (event.key === 'Escape' && brush !== undefined) onBrush(undefined);
    else if (step !== 0) onBrush(moved(brush, step, event.shiftKey, range));
    else return;
    event.preventDefault();
  };

  const snap = ({ from, to }: TimeRange) =>
    onBrush({ from: bucketOf(from), to: bucketOf(to - 1) + bucketMs });

  const start = useRef<number | undefined>(undefined);
  const timeAt = ({ clientX, currentTarget }: PointerEvent) => {
    const plot = currentTarget instanceof HTMLElement ? currentTarget.querySelector('.u-over') : null;
    const { left = 0, width = 1 } = plot?.getBoundingClientRect() ?? {};
    const part = Math.max(0, Math.min(0.999, (clientX - left) / width));
    return range.from + part * (range.to - range.from);
  };
  const onPointerDown = (event: PointerEvent) => {
    start.current = timeAt(event);
  };
  // The chart itself takes no fingers.
  const onPointerMove = (event: PointerEvent) => {
    if (event.pointerType === 'mouse' || start.current === undefined) return;
    const [from, to] = [start.current, timeAt(event)].sort((one, other) => one - other);
    if (from !== undefined && to !== undefined) snap({ from, to: Math.max(to, from + 1) });
  };
  const onPointerUp = (event: PointerEvent) => {
    const [from, to] = [start.current, timeAt(event)];
    start.current = undefined;
    const isClick = from !== undefined && Math.abs(to - from) < bucketMs / 4;
    if (isClick) snap({ from: to, to: to + 1 });
  };

  const total = counts.reduce((sum, count) => sum + count, 0);
  return (
    <figure class="card rate">
      <figcaption class="rate-head">
        <span id={`${id}-title`}>
          <strong>{total.toLocaleString('en')}</strong> {total === 1 ? 'row' : 'rows'} received of the last 10
          minutes
          {loaded.from > range.from && (
            <span class="quiet">
              {' '}
              · nothing is loaded of the hatched time before {clockText(loaded.from)} UTC
            </span>
          )}
        </span>
        <ul class="rate-legend" aria-label="Rows by level">
          {severities.map((severity, index) => {
            const count = counts[index] ?? 0;
            return (
              count > 0 && (
                <li key={severity}>
                  <span class={`swatch severity-${severity}`} aria-hidden="true" />
                  {severity === 'none' ? 'no level' : severity} {count.toLocaleString('en')}
                </li>
              )
            );
          })}
        </ul>
        <span class="rate-brush" id={`${id}-help`}>
          {brush === undefined ? (
            <span class="quiet rate-help">Drag over the bars to see only the rows of a span</span>
          ) : (
            <>
              <span role="status">
                {clockText(brush.from)} – {clockText(brush.to)} UTC
              </span>{' '}
              <button type="button" onClick={() => onBrush(undefined)}>
                Clear span
              </button>
            </>
          )}
        </span>
      </figcaption>
      {/* biome-ignore lint/a11y/useSemanticElements: it is no part of a form */}
      <div
        class="rate-chart"
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys choose a span
        tabIndex={0}
        aria-label="Span of time: arrow keys move it, with Shift they widen it, Escape clears it"
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          start.current = undefined;
        }}
      >
        <TimeChart
          data={data}
          type="bars"
          height={124}
          hasLegend={false}
          range={range}
          selected={brush}
          loaded={loaded}
          onRange={snap}
          label="Rows in each 10 seconds, by level"
        />
      </div>
    </figure>
  );
}

/** The span after a key: another place, or another length. */
function moved(
  brush: TimeRange | undefined,
  step: number,
  isWider: boolean,
  { from, to }: TimeRange,
): TimeRange {
  if (brush === undefined) return { from: to - bucketMs, to };
  if (isWider) {
    const end = Math.max(brush.from + bucketMs, Math.min(to, brush.to + step));
    return { from: brush.from, to: end };
  }
  const shift = Math.max(from - brush.from, Math.min(to - brush.to, step));
  return { from: brush.from + shift, to: brush.to + shift };
}
