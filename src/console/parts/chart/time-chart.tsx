import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { stacked, type TimeData } from './chart-data.ts';
import type { TimeRange } from './time-range.ts';
import { useColours } from './use-colours.ts';

interface TimeChartProps {
  readonly data: TimeData;
  readonly form: 'lines' | 'bars';
  readonly height?: number;
  readonly label: string;
  /** Called with the span that the user has drawn. Without it, drawing zooms the chart. */
  readonly onRange?: ((range: TimeRange) => void) | undefined;
  readonly hasLegend?: boolean;
  /** Draws the chart over this span instead of that of its data. */
  readonly range?: TimeRange | undefined;
}

const numbers = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });

/** Lines or stacked bars over time, in UTC. */
export function TimeChart({
  data,
  form,
  label,
  onRange,
  range,
  height = 260,
  hasLegend = true,
}: TimeChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  const rangeCallback = useRef(onRange);
  rangeCallback.current = onRange;
  const colours = useColours();

  useEffect(() => {
    const { bars } = uPlot.paths;
    const element = holder.current;
    if (element === null) return;
    const { times, series } = data;
    // Later series are drawn below earlier ones, since they contain them.
    const drawn = form === 'bars' ? stacked(series) : series.map(({ values }) => values);
    const order = series.map((_, index) => index);
    if (form === 'bars') order.reverse();
    const axis = {
      stroke: colours.text,
      grid: { stroke: colours.grid, width: 1 },
      ticks: { stroke: colours.grid, width: 1 },
    };
    const options: uPlot.Options = {
      width: Math.max(240, element.clientWidth),
      height,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      legend: { show: hasLegend },
      cursor: { drag: { x: true, y: false, setScale: onRange === undefined } },
      scales: {
        x: {
          time: true,
          range: (_chart, first, last) =>
            range ? [range.from / 1000, range.to / 1000] : padded(first, last, form, times.length),
        },
        y: { range: (_chart, least, most) => [Math.min(0, least ?? 0), most > 0 ? most * 1.05 : 1] },
      },
      axes: [
        { ...axis, values: timeFormats, ...(times.every(Number.isInteger) && { incrs: wholeSteps }) },
        { ...axis, size: 56, values: (_chart, splits) => splits.map((split) => numbers.format(split)) },
      ],
      series: [
        { value: (_chart, seconds) => (seconds === null ? '–' : utcText(seconds)) },
        ...order.map((index) => seriesOf(index)),
      ],
      hooks: {
        setSelect: [
          (chart) => {
            const { left, width } = chart.select;
            if (width < 3 || rangeCallback.current === undefined) return;
            const at = (pixels: number) => Math.round(chart.posToVal(pixels, 'x') * 1000);
            rangeCallback.current({ from: at(left), to: at(left + width) });
            chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          },
        ],
      },
    };
    const chart = new uPlot(
      options,
      [[...times], ...order.map((index) => [...(drawn[index] ?? [])])],
      element,
    );
    const observer = new ResizeObserver(() =>
      chart.setSize({ width: Math.max(240, element.clientWidth), height }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };

    function seriesOf(index: number): uPlot.Series {
      const colour = colours.series[index % colours.series.length] ?? colours.text;
      const { name = '', values = [] } = series[index] ?? {};
      return {
        label: name,
        stroke: colour,
        width: form === 'lines' ? 2 : 0,
        ...(form === 'bars' && { fill: colour, ...(bars && { paths: bars({ size: [0.8, 60] }) }) }),
        points: { show: form === 'lines' && times.length < 60, size: 5, fill: colour },
        spanGaps: false,
        // Of the series alone, where bars are stacked.
        value: (_chart, _drawn, _series, at) => {
          const value = at === null ? null : values[at];
          return value === null || value === undefined ? '–' : value.toLocaleString('en');
        },
      };
    }
  }, [data, form, colours, height, hasLegend, onRange === undefined, range?.from, range?.to]);

  return <div ref={holder} class="chart" role="img" aria-label={label} />;
}

/** Room for half a bar on both sides. */
function padded(
  first: number | null,
  last: number | null,
  form: TimeChartProps['form'],
  times: number,
): [number | null, number | null] {
  if (first === null || last === null) return [null, null];
  if (first === last) return [first - 60, last + 60];
  const room = form === 'bars' ? (last - first) / Math.max(1, times - 1) / 2 : 0;
  return [first - room, last + room];
}

const [minute, day] = [60, 86_400];
/** Distances of ticks in seconds, for data that has whole seconds only. */
const wholeSteps = [
  ...[1, 2, 5, 10, 15, 30].flatMap((size) => [size, size * minute]),
  ...[1, 2, 3, 6, 12].map((size) => (size * day) / 24),
  ...[1, 2, 7, 14, 28, 91, 182, 365].map((size) => size * day),
].sort((one, other) => one - other);

/**
 * Labels by the distance of ticks in seconds: the label, and what stands below it where the year, the day or the minute
 * changes. In uPlot's order: distance, label, year, month, day, hour, minute, second, mode.
 */
const timeFormats: uPlot.Axis.TimeValuesConfig = [
  [365 * day, '{YYYY}', null, null, null, null, null, null, 1],
  [28 * day, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
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
