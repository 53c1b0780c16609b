import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { TimeRange } from '../time/time-range.ts';
import type { ChartType } from './chart-choice.ts';
import { stacked, type TimeData } from './chart-data.ts';
import { timeSteps, valueSteps } from './tick-steps.ts';
import { useColours } from './use-colours.ts';

interface TimeChartProps {
  readonly data: TimeData;
  readonly type: Exclude<ChartType, 'number'>;
  readonly height?: number;
  readonly label: string;
  /** Called with the span that the user has drawn. Without it, drawing zooms the chart. */
  readonly onRange?: ((range: TimeRange) => void) | undefined;
  readonly hasLegend?: boolean;
  /** Draws the chart over this span instead of that of its data. */
  readonly range?: TimeRange | undefined;
  /** A span to mark. */
  readonly selected?: TimeRange | undefined;
}

const numbers = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });

/** Lines or stacked bars over time, in UTC. New data of the same series are drawn without a new chart. */
export function TimeChart(props: TimeChartProps) {
  const { data, type, label, range, selected, height = 260, hasLegend = true } = props;
  const holder = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const colours = useColours();
  const shape = JSON.stringify([type, data.series.map(({ name, colour }) => [name, colour])]);
  const zooms = props.onRange === undefined;

  useEffect(() => {
    const element = holder.current;
    if (element === null) return;
    const width = () => Math.max(240, element.clientWidth);
    const own = new uPlot(
      { ...optionsOf(latest, colours), width: width(), height },
      plotted(latest.current),
      element,
    );
    chart.current = own;
    const observer = new ResizeObserver(() => own.setSize({ width: width(), height }));
    observer.observe(element);
    return () => {
      chart.current = undefined;
      observer.disconnect();
      own.destroy();
    };
  }, [shape, colours, height, hasLegend, zooms]);

  useEffect(() => chart.current?.setData(plotted(latest.current)), [data, range?.from, range?.to]);
  useEffect(() => chart.current?.redraw(false), [selected?.from, selected?.to]);

  return <div ref={holder} class="chart" role="img" aria-label={label} />;
}

/** Later series are drawn below earlier ones, since bars of later ones contain them. */
function orderOf({ data: { series }, type }: TimeChartProps): readonly number[] {
  const order = series.map((_, index) => index);
  return type !== 'lines' ? order.reverse() : order;
}

function plotted(props: TimeChartProps): uPlot.AlignedData {
  const { times, series } = props.data;
  const drawn = props.type !== 'lines' ? stacked(series) : series.map(({ values }) => values);
  return [[...times], ...orderOf(props).map((index) => [...(drawn[index] ?? [])])];
}

/** @param latest what the chart is to show now */
function optionsOf(
  latest: { readonly current: TimeChartProps },
  colours: ReturnType<typeof useColours>,
): Omit<uPlot.Options, 'width' | 'height'> {
  const { type, onRange, hasLegend = true } = latest.current;
  const { bars } = uPlot.paths;
  const axis = {
    stroke: colours.text,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { stroke: colours.grid, width: 1 },
  };
  return {
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    legend: { show: hasLegend },
    // Room for the last label.
    padding: [8, 30, null, null],
    cursor: { drag: { x: true, y: false, setScale: onRange === undefined } },
    scales: {
      x: {
        time: true,
        range: (_chart, first, last) => {
          const { range, data } = latest.current;
          return range ? [range.from / 1000, range.to / 1000] : padded(first, last, type, data.times.length);
        },
      },
      y: { range: (_chart, least, most) => [Math.min(0, least ?? 0), most > 0 ? most * 1.05 : 1] },
    },
    axes: [
      {
        ...axis,
        values: timeFormats,
        incrs: () => timeSteps(latest.current.data.times),
      },
      {
        ...axis,
        size: 56,
        incrs: () => valueSteps(latest.current.data.series),
        values: (_chart, splits) => splits.map((split) => numbers.format(split)),
      },
    ],
    series: [
      { value: (_chart, seconds) => (seconds === null ? '–' : utcText(seconds)) },
      ...orderOf(latest.current).map((index) => seriesOf(index)),
    ],
    hooks: {
      setSelect: [
        (chart) => {
          const { left, width } = chart.select;
          const callback = latest.current.onRange;
          if (width < 3 || callback === undefined) return;
          const at = (pixels: number) => Math.round(chart.posToVal(pixels, 'x') * 1000);
          callback({ from: at(left), to: at(left + width) });
          chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
      drawClear: [
        (chart) => {
          const { selected } = latest.current;
          if (selected === undefined) return;
          const { left, top, width, height } = chart.bbox;
          const at = (time: number) =>
            Math.max(left, Math.min(left + width, chart.valToPos(time / 1000, 'x', true)));
          chart.ctx.fillStyle = colours.selection;
          chart.ctx.fillRect(at(selected.from), top, at(selected.to) - at(selected.from), height);
        },
      ],
    },
  };

  function seriesOf(index: number): uPlot.Series {
    const { series, times } = latest.current.data;
    const { name = '', colour: own } = series[index] ?? {};
    const colour =
      own === undefined ? (colours.series[index % colours.series.length] ?? colours.text) : colours.of(own);
    return {
      label: name,
      stroke: colour,
      width: type === 'bars' ? 0 : 2,
      ...(type !== 'lines' && { fill: colour }),
      ...(type === 'bars' && { ...(bars && { paths: bars({ size: [0.8, 60] }) }) }),
      points: { show: type === 'lines' && times.length < 60, size: 5, fill: colour },
      spanGaps: false,
      // Of the series alone, where bars are stacked.
      value: (_chart, _drawn, _series, at) => {
        const value = at === null ? null : latest.current.data.series[index]?.values[at];
        return value === null || value === undefined ? '–' : value.toLocaleString('en');
      },
    };
  }
}

/** Room for half a bar on both sides. */
function padded(
  first: number | null,
  last: number | null,
  type: TimeChartProps['type'],
  times: number,
): [number | null, number | null] {
  if (first === null || last === null) return [null, null];
  if (first === last) return [first - 60, last + 60];
  const room = type === 'bars' ? (last - first) / Math.max(1, times - 1) / 2 : 0;
  return [first - room, last + room];
}

const [minute, day] = [60, 86_400];
/**
 * Labels by the distance of ticks in seconds: the label, and what stands below it where the year, the day or the minute
 * changes. In uPlot's order: distance, label, year, month, day, hour, minute, second, mode.
 */
const timeFormats: uPlot.Axis.TimeValuesConfig = [
  [365 * day, '{YYYY}', null, null, null, null, null, null, 1],
  [30 * day, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [day, '{MM}-{DD}', '\n{YYYY}', null, null, null, null, null, 1],
  [minute, '{HH}:{mm}', '\n{YYYY}-{MM}-{DD}', null, '\n{MM}-{DD}', null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', '\n{YYYY}-{MM}-{DD}', null, '\n{MM}-{DD}', null, null, null, 1],
  [
    0.001,
    ':{ss}.{fff}',
    '\n{YYYY}-{MM}-{DD} {HH}:{mm}',
    null,
    '\n{MM}-{DD} {HH}:{mm}',
    null,
    '\n{HH}:{mm}',
    null,
    1,
  ],
];

function utcText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}
