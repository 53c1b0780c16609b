import { barX, link, type Markish, ruleX, text } from '@observablehq/plot';
import type { Panel } from './figure.ts';
import { colours } from './theme.ts';

/** A bar with the range of repeated measurements. */
export interface Bar {
  readonly row: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly colour: string;
  /** The text behind the bar. */
  readonly label: string;
  /** Texts at the right edge, one for each of the panel's columns. */
  readonly cells?: readonly string[];
}

export interface BarPanel {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly heading?: string;
  readonly bars: readonly Bar[];
  /** The axis: from 0 to this value, and its text, with a unit. */
  readonly most: number;
  readonly axis: string;
  readonly tickFormat: (value: number) => string;
  /** A value to compare with. */
  readonly reference?: number;
  /** The width for the names of the rows; 0 if another panel has them. */
  readonly names: number;
  /** The width for labels behind the bars. */
  readonly labels: number;
  /** Headings of columns at the right edge. */
  readonly columns?: readonly string[];
  /** Whether the axis is to be seen; it is unless another panel below has it. */
  readonly hasAxis?: boolean;
}

const rowHeight = 25;
const axisHeight = 40;
const columnWidth = 68;
const headingHeight = 12;

/** The height of a panel with so many bars, without its heading. */
export function barPanelHeight(bars: number, hasAxis = true): number {
  return headingHeight + bars * rowHeight + (hasAxis ? axisHeight : 4);
}

/** Horizontal bars, each with its name before it and a label behind it. */
export function barPanel(panel: BarPanel): Panel {
  const { x, y, width, heading, bars, most, axis, tickFormat, reference, names, labels } = panel;
  const { hasAxis = true, columns = [] } = panel;
  const ends = (end: 'least' | 'most'): Markish =>
    link(bars, { y: 'row', x1: end, x2: end, stroke: colours.ink, strokeWidth: 1 });
  return {
    ...{ x, y, ...(heading === undefined ? {} : { heading }) },
    options: {
      width,
      height: barPanelHeight(bars.length, hasAxis),
      marginLeft: names + 8,
      marginRight: labels + columns.length * columnWidth,
      marginTop: headingHeight,
      marginBottom: hasAxis ? axisHeight - 2 : 4,
      x: {
        domain: [0, most],
        label: null,
        ticks: hasAxis ? 5 : [],
        tickFormat,
        tickSize: 0,
        grid: true,
      },
      y: {
        domain: bars.map(({ row }) => row),
        label: null,
        tickSize: 0,
        padding: 0.35,
        axis: names === 0 ? null : 'left',
      },
      marks: [
        ruleX([0], { stroke: colours.other }),
        barX(bars, { y: 'row', x1: 0, x2: 'value', fill: 'colour' }),
        link(bars, { y1: 'row', y2: 'row', x1: 'least', x2: 'most', stroke: colours.ink, strokeWidth: 1.2 }),
        ends('least'),
        ends('most'),
        ...(reference === undefined
          ? []
          : [ruleX([reference], { stroke: colours.muted, strokeDasharray: '3,3' })]),
        text(bars, {
          ...{ y: 'row', x: 'most', text: 'label', textAnchor: 'start', dx: 8 },
          ...{ fill: colours.ink, stroke: colours.background, strokeWidth: 4 },
        }),
        ...columns.flatMap((column, index) => {
          const place = { textAnchor: 'end', dx: labels + (index + 1) * columnWidth - 16 } as const;
          const cell = (_: unknown, row: number) => bars[row]?.cells?.[index] ?? '';
          return [
            text([column], { ...place, frameAnchor: 'top-right', dy: -headingHeight }),
            text(bars, {
              ...place,
              y: 'row',
              frameAnchor: 'right',
              text: cell,
              fill: colours.ink,
              fontVariant: 'tabular-nums',
            }),
          ];
        }),
        ...(hasAxis ? [text([axis], { frameAnchor: 'bottom-left', textAnchor: 'start', dy: 34 })] : []),
      ],
    },
  };
}
