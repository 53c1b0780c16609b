import { barX, dot, link, ruleX, text } from '@observablehq/plot';
import type { Panel } from './figure.ts';
import { colours } from './theme.ts';

/** A bar of pieces, with the range of its whole. */
export interface Stack {
  readonly row: string;
  /** In the order of the panel's pieces. */
  readonly values: readonly number[];
  readonly least: number;
  readonly most: number;
  readonly label: string;
}

export interface StackPanel {
  readonly width: number;
  readonly stacks: readonly Stack[];
  readonly pieces: readonly { readonly name: string; readonly colour: string }[];
  readonly most: number;
  readonly ticks: readonly number[];
  readonly tickFormat: (value: number) => string;
  readonly axis: string;
  readonly names: number;
  readonly labels: number;
}

const rowHeight = 28;
const axisHeight = 40;
const keyHeight = 26;
const keyWidth = 110;

export function stackPanelHeight(stacks: number): number {
  return keyHeight + stacks * rowHeight + axisHeight;
}

/** Stacked horizontal bars, with the names of their pieces above. */
export function stackPanel(panel: StackPanel): Panel {
  const { width, stacks, pieces, most, ticks, tickFormat, axis, names, labels } = panel;
  const parts = stacks.flatMap(({ row, values }) => {
    let end = 0;
    return values.map((value, index) => {
      const start = end;
      end += value;
      return { row, x1: start, x2: end, colour: pieces[index]?.colour ?? colours.other };
    });
  });
  return {
    x: 0,
    y: 0,
    options: {
      width,
      height: stackPanelHeight(stacks.length),
      marginLeft: names + 8,
      marginRight: labels,
      marginTop: keyHeight,
      marginBottom: axisHeight,
      x: { domain: [0, most], ticks: [...ticks], tickFormat, label: null, tickSize: 0, grid: true },
      y: { domain: stacks.map(({ row }) => row), label: null, tickSize: 0, padding: 0.35 },
      marks: [
        ruleX([0], { stroke: colours.other }),
        barX(parts, { y: 'row', x1: 'x1', x2: 'x2', fill: 'colour', insetLeft: 0.5, insetRight: 0.5 }),
        link(stacks, {
          y1: 'row',
          y2: 'row',
          x1: 'least',
          x2: 'most',
          stroke: colours.ink,
          strokeWidth: 1.2,
        }),
        text(stacks, { y: 'row', x: 'most', text: 'label', textAnchor: 'start', dx: 8, fill: colours.ink }),
        ...pieces.flatMap(({ name, colour }, index) => {
          const dx = index * keyWidth;
          return [
            dot([name], {
              frameAnchor: 'top-left',
              dx: dx + 5,
              dy: -14,
              fill: colour,
              symbol: 'square',
              r: 5,
            }),
            text([name], {
              frameAnchor: 'top-left',
              textAnchor: 'start',
              dx: dx + 16,
              dy: -20,
              fill: colours.ink,
            }),
          ];
        }),
        text([axis], { frameAnchor: 'bottom-left', textAnchor: 'start', dy: 34 }),
      ],
    },
  };
}
