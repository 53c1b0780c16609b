import { axisX, dot, gridX, link, ruleX, ruleY, text } from '@observablehq/plot';
import type { Panel } from './figure.ts';
import { colours } from './theme.ts';
import { logTicks } from './ticks.ts';

/** A dot with the range of repeated measurements. */
export interface Dot {
  readonly row: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly colour: string;
  /** The text beside the dot's range. */
  readonly label: string;
  /** On which side the text is. */
  readonly side: 'left' | 'right';
}

export interface DotPanel {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly heading?: string;
  readonly dots: readonly Dot[];
  /** The names of the rows, from above. */
  readonly rows: readonly string[];
  /** The axis has a logarithmic scale with these ends. */
  readonly domain: readonly [number, number];
  readonly tickFormat: (value: number) => string;
  readonly axis: string;
  readonly reference?: number;
  /** The width for the names of the rows; 0 if another panel has them. */
  readonly names: number;
}

const rowHeight = 25;
const axisHeight = 40;

export function dotPanelHeight(rows: number): number {
  return rows * rowHeight + axisHeight + 6;
}

/** Dots with their ranges, in rows over a logarithmic axis. */
export function dotPanel(panel: DotPanel): Panel {
  const { x, y, width, heading, dots, rows, domain, tickFormat, axis, reference, names } = panel;
  const ticks = logTicks(domain, width - names - 24);
  const label = (side: Dot['side']) =>
    text(
      dots.filter((one) => one.side === side),
      {
        ...{ x: side === 'left' ? 'least' : 'most', y: 'row', text: 'label', fill: colours.ink },
        ...{
          textAnchor: side === 'left' ? ('end' as const) : ('start' as const),
          dx: side === 'left' ? -9 : 9,
        },
        ...{ stroke: colours.background, strokeWidth: 4 },
      },
    );
  return {
    ...{ x, y, ...(heading === undefined ? {} : { heading }) },
    options: {
      width,
      height: dotPanelHeight(rows.length),
      marginLeft: names + 8,
      marginRight: 16,
      marginTop: 6,
      marginBottom: axisHeight,
      x: { type: 'log', domain: [...domain], label: null },
      y: {
        type: 'point',
        domain: [...rows],
        label: null,
        tickSize: 0,
        axis: names === 0 ? null : 'left',
        padding: 0.5,
      },
      marks: [
        // Plot leaves out labels of logarithmic scales on its own.
        axisX(ticks, { text: ticks.map(tickFormat), tickSize: 0, label: null }),
        gridX(ticks, {}),
        ruleY(rows, { stroke: colours.muted, strokeOpacity: 0.12 }),
        ...(reference === undefined
          ? []
          : [ruleX([reference], { stroke: colours.muted, strokeDasharray: '3,3' })]),
        link(dots, {
          y1: 'row',
          y2: 'row',
          x1: 'least',
          x2: 'most',
          stroke: 'colour',
          strokeWidth: 2,
          strokeLinecap: 'round',
        }),
        label('left'),
        label('right'),
        dot(dots, {
          x: 'value',
          y: 'row',
          fill: 'colour',
          r: 4.5,
          stroke: colours.background,
          strokeWidth: 1.5,
        }),
        text([axis], { frameAnchor: 'bottom-left', textAnchor: 'start', dy: 34 }),
      ],
    },
  };
}
