import uPlot from 'uplot';
import type { TimeRange, Zone } from '../time/time-range.ts';
import type { DrawnData, DrawnSeries, TimeType } from './drawn-data.ts';
import { fillOf, hatchOf, styleOf } from './series-style.ts';
import { timeSteps, valueSteps } from './tick-steps.ts';
import { timeFormats } from './time-formats.ts';
import { type Unit, valueText } from './units.ts';
import type { Colours } from './use-colours.ts';

/** What a plot shows now. */
export interface PlotState {
  readonly drawn: DrawnData;
  readonly type: TimeType;
  readonly zone: Zone;
  readonly unit: Unit | undefined;
  readonly titles: { readonly x: string; readonly y: string };
  /** The span of the chart, if it isn't that of its data. */
  readonly range: TimeRange | undefined;
  readonly selected: TimeRange | undefined;
  readonly loaded: TimeRange | undefined;
  readonly onSpan: (range: TimeRange) => void;
  /** Called with the place of the time below the pointer. */
  readonly onCursor: (index: number | undefined) => void;
}

interface Latest {
  readonly current: PlotState;
}

/** Later series are drawn below earlier ones, since bars of later ones contain them; lines of the period before come last. */
function orderOf({ drawn: { series }, type }: PlotState): readonly DrawnSeries[] {
  const present = series.filter(({ isBefore }) => !isBefore);
  const before = series.filter(({ isBefore }) => isBefore);
  return [...(type === 'lines' ? present : present.toReversed()), ...before];
}

/** What can't change without a new plot. */
export function shapeOf(state: PlotState): string {
  return JSON.stringify([
    ...[state.type, state.zone, state.unit, state.titles],
    orderOf(state).map(({ key, place, colour }) => [key, place, colour]),
  ]);
}

export function plotted(state: PlotState): uPlot.AlignedData {
  return [[...state.drawn.times], ...orderOf(state).map(({ ends }) => [...ends])];
}

/** @param latest what the plot shows now, whatever was when it was made */
export function plotOptions(latest: Latest, colours: Colours): Omit<uPlot.Options, 'width' | 'height'> {
  const { type, zone, unit, titles } = latest.current;
  const axis = {
    stroke: colours.quiet,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { stroke: colours.grid, width: 1 },
    labelFont: '12px system-ui, sans-serif',
    labelSize: 20,
  };
  return {
    ...(zone === 'utc' && { tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') }),
    legend: { show: false },
    // Room for the last label.
    padding: [8, 30, null, null],
    cursor: { drag: { x: true, y: false, setScale: false } },
    scales: {
      x: {
        time: true,
        range: (_chart, first, last) => {
          const { range, drawn } = latest.current;
          return range ? [range.from / 1000, range.to / 1000] : padded(first, last, type, drawn.times.length);
        },
      },
      y: {
        range: (_chart, least, most) => {
          const [low, high] = [Math.min(0, least ?? 0), Math.max(0, most ?? 0)];
          return low === high ? [0, 1] : [low * 1.05, high * 1.05];
        },
      },
    },
    axes: [
      {
        ...axis,
        ...(titles.x !== '' && { label: titles.x }),
        values: timeFormats,
        incrs: () => timeSteps(latest.current.drawn.times),
      },
      {
        ...axis,
        ...(titles.y !== '' && { label: axisTitle(titles.y) }),
        size: unit === undefined ? 56 : 72,
        incrs: () => valueSteps(latest.current.drawn.series),
        values: (_chart, splits) => splits.map((split) => valueText(split, unit, 'short')),
      },
    ],
    series: [{}, ...orderOf(latest.current).map((series) => seriesOf(series, latest, colours))],
    hooks: {
      setSelect: [
        (chart) => {
          const { left, width } = chart.select;
          if (width < 3) return;
          const at = (pixels: number) => Math.round(chart.posToVal(pixels, 'x') * 1000);
          latest.current.onSpan({ from: at(left), to: at(left + width) });
          chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
      setCursor: [({ cursor: { idx } }) => latest.current.onCursor(idx ?? undefined)],
      drawClear: [(chart) => drawBehind(chart, latest.current, colours)],
    },
  };
}

function seriesOf(series: DrawnSeries, latest: Latest, colours: Colours): uPlot.Series {
  const { type, drawn } = latest.current;
  const { bars } = uPlot.paths;
  const style = styleOf(series.place, series.colour, colours);
  const isLine = type === 'lines' || series.isBefore;
  const isStacked = type !== 'lines';
  if (isLine) {
    const stroke = series.isBefore && isStacked ? colours.text : style.colour;
    return {
      label: series.name,
      stroke,
      width: series.isBefore ? 1.5 : 2,
      dash: series.isBefore ? [5, 4] : [...style.dash],
      ...(series.isBefore && !isStacked && { alpha: 0.6 }),
      points: { show: !series.isBefore && drawn.times.length < 60, size: 5, fill: stroke },
      spanGaps: false,
    };
  }
  return {
    label: series.name,
    stroke: style.colour,
    // Textures need an edge.
    width: type === 'area' || style.texture > 0 ? 1 : 0,
    fill: fillOf(style),
    ...(type === 'bars' && bars && { paths: bars({ size: [0.8, 60] }) }),
    points: { show: false },
    spanGaps: false,
  };
}

/** The chosen span, and hatches over the time that isn't loaded. */
function drawBehind(chart: uPlot, { selected, loaded }: PlotState, colours: Colours): void {
  const { left, top, width, height } = chart.bbox;
  const at = (time: number) => Math.max(left, Math.min(left + width, chart.valToPos(time / 1000, 'x', true)));
  const fill = (from: number, to: number, style: string | CanvasPattern) => {
    chart.ctx.fillStyle = style;
    chart.ctx.fillRect(from, top, Math.max(0, to - from), height);
  };
  if (loaded !== undefined) {
    const hatch = hatchOf(colours);
    fill(left, at(loaded.from), hatch);
    fill(at(loaded.to), left + width, hatch);
  }
  if (selected !== undefined) fill(at(selected.from), at(selected.to), colours.selection);
}

/** Room for half a bar on both sides. */
function padded(
  first: number | null,
  last: number | null,
  type: TimeType,
  times: number,
): [number | null, number | null] {
  if (first === null || last === null) return [null, null];
  if (first === last) return [first - 60, last + 60];
  const room = type === 'bars' ? (last - first) / Math.max(1, times - 1) / 2 : 0;
  return [first - room, last + room];
}

/** As many characters have room beside the axis. */
const maxTitle = 28;

/** The whole text is in the legend, and in what is read out. */
function axisTitle(text: string): string {
  return text.length > maxTitle ? `${text.slice(0, maxTitle - 1)}…` : text;
}
