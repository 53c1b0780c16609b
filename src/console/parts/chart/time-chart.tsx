import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { type TimeRange, timeText, zoneText } from '../time/time-range.ts';
import { useZone } from '../time/use-zone.ts';
import { ChartActions } from './chart-actions.tsx';
import type { TimeData } from './chart-data.ts';
import { ChartTable } from './chart-table.tsx';
import { changeOf, type DrawnSeries, drawnData, type TimeType } from './drawn-data.ts';
import { Legend, type LegendEntry } from './legend.tsx';
import { styleOf } from './series-style.ts';
import { totalOf } from './stack.ts';
import { type PlotState, plotOptions, plotted, shapeOf } from './time-plot.ts';
import { type Unit, valueText } from './units.ts';
import { useColours } from './use-colours.ts';
import { useHidden } from './use-hidden.ts';

interface TimeChartProps {
  readonly data: TimeData;
  readonly type: TimeType;
  readonly height?: number | undefined;
  readonly label: string;
  /** Called with the span that the user has drawn. Without it, drawing zooms the chart. */
  readonly onRange?: ((range: TimeRange) => void) | undefined;
  /** Whether the chart has a legend, its image and its table. */
  readonly hasLegend?: boolean;
  /** Draws the chart over this span instead of that of its data. */
  readonly range?: TimeRange | undefined;
  /** A span to mark. */
  readonly selected?: TimeRange | undefined;
  /** The span whose data are there: time outside of it is hatched. */
  readonly loaded?: TimeRange | undefined;
  /** The period before, at the times of the present one: drawn as dashed lines. */
  readonly before?: TimeData | undefined;
  readonly unit?: Unit | undefined;
  /** The titles of the axes; the zone is added. */
  readonly titles?: { readonly x: string; readonly y: string } | undefined;
}

const noTitles = { x: '', y: '' };

/** Lines, stacked bars or stacked areas over time, in the chosen zone. New data of the same series are drawn without a new plot. */
export function TimeChart(props: TimeChartProps) {
  const { data, before, type, label, height = 260, hasLegend = true, titles = noTitles, unit } = props;
  const [zone] = useZone();
  const colours = useColours();
  const hidden = useHidden();
  const [at, setAt] = useState<number>();
  const [zoom, setZoom] = useState<TimeRange>();
  const drawn = useMemo(
    () => drawnData({ data, before, type, hidden: hidden.keys }),
    [data, before, type, hidden.keys],
  );
  const range = zoom ?? props.range;
  const zoneName = zoneText(zone, (data.times[0] ?? 0) * 1000);
  const state: PlotState = {
    ...{ drawn, type, zone, unit, range, selected: props.selected, loaded: props.loaded },
    titles: { ...titles, x: titles.x === '' ? '' : `${titles.x} (${zoneName})` },
    onSpan: props.onRange ?? setZoom,
    onCursor: setAt,
  };
  const { holder, plot } = usePlot(state, colours, height);
  useEffect(() => setZoom(undefined), [data]);

  const isInView = (index: number) => {
    const time = (drawn.times[index] ?? 0) * 1000;
    return range === undefined || (time >= range.from && time < range.to);
  };
  const total = ({ values }: DrawnSeries) =>
    totalOf(
      values.map((value) => value ?? null),
      isInView,
    );
  const numberOf = (one: DrawnSeries) => {
    if (at === undefined) return type === 'lines' ? undefined : total(one);
    return one.values[at] ?? undefined;
  };
  const change = changeOf(drawn);
  const entries = drawn.series.map((one): LegendEntry => {
    const value = numberOf(one);
    const style = styleOf(one.place, one.colour, colours);
    const isSum = one.isBefore && type !== 'lines';
    return {
      ...{ key: one.key, name: one.name, isShown: one.isShown, isLine: type === 'lines' || one.isBefore },
      style: one.isBefore ? { ...style, dash: [5, 4], ...(isSum && { colour: colours.text }) } : style,
      value: `${value === undefined ? (at === undefined ? '' : '–') : valueText(value, unit)}${
        isSum && at === undefined && change !== undefined ? ` (now ${change})` : ''
      }`,
    };
  });
  const time = at === undefined ? undefined : drawn.times[at];
  const present = drawn.series.filter((one) => one.isShown && !one.isBefore);
  const sum = present.reduce((all, one) => all + (numberOf(one) ?? 0), 0);
  const sumText = type === 'lines' ? '' : `${valueText(sum, unit)} in total`;
  const caption =
    time === undefined
      ? [
          sumText,
          type === 'lines' && change !== undefined ? `${change} since the period before` : '',
          zoneName,
        ]
      : [`${timeText(time * 1000, zone)} ${zoneName}`, sumText];
  const captionText = caption.filter((text) => text !== '').join(' · ');

  return (
    <>
      <div ref={holder} class="chart" role="img" aria-label={label} />
      {hasLegend && (
        <>
          <Legend
            entries={entries}
            caption={captionText}
            onToggle={hidden.toggle}
            onOnly={(key) =>
              hidden.only(
                key,
                drawn.series.map((one) => one.key),
              )
            }
            onAll={hidden.showAll}
          />
          <ChartActions
            colours={colours}
            picture={() => {
              const canvas = plot.current?.ctx.canvas;
              if (canvas === undefined) return undefined;
              const [width, tall] = [canvas.clientWidth, canvas.clientHeight];
              return {
                ...{ title: label, note: captionText, legend: entries, width, height: tall },
                draw: (context) => context.drawImage(canvas, 0, 0, width, tall),
              };
            }}
            table={() => (
              <ChartTable
                label={label}
                across={`Time (${zoneName})`}
                names={drawn.times.map((seconds) => timeText(seconds * 1000, zone))}
                series={drawn.series.filter(({ isShown }) => isShown)}
                text={(value) => valueText(value, unit)}
              />
            )}
          >
            {zoom !== undefined && (
              <button type="button" class="small" onClick={() => setZoom(undefined)}>
                Reset zoom
              </button>
            )}
          </ChartActions>
        </>
      )}
    </>
  );
}

/** Draws a plot into an element, and again when anything changes. */
function usePlot(state: PlotState, colours: ReturnType<typeof useColours>, height: number) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const latest = useRef(state);
  latest.current = state;
  const { drawn, range, selected, loaded } = state;

  useEffect(() => {
    const element = holder.current;
    if (element === null) return;
    const width = () => Math.max(240, element.clientWidth);
    const options = { ...plotOptions(latest, colours), width: width(), height };
    const own = new uPlot(options, plotted(latest.current), element);
    plot.current = own;
    const observer = new ResizeObserver(() => own.setSize({ width: width(), height }));
    observer.observe(element);
    return () => {
      plot.current = undefined;
      observer.disconnect();
      own.destroy();
    };
  }, [shapeOf(state), colours, height]);

  useEffect(() => plot.current?.setData(plotted(latest.current)), [drawn, range?.from, range?.to]);
  useEffect(() => plot.current?.redraw(false), [selected?.from, selected?.to, loaded?.from, loaded?.to]);
  return { holder, plot };
}
