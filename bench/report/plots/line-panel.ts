import { axisX, axisY, dot, gridX, gridY, line, link, ruleX, ruleY, text } from '@observablehq/plot';
import type { Panel } from './figure.ts';
import { colours } from './theme.ts';

/** A point of a line, with its range if it has one. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly least?: number;
  readonly most?: number;
}

export interface Line {
  readonly points: readonly Point[];
  readonly colour: string;
  /** A text beside the line, if it has one, and the number of its point: the last one by default. */
  readonly label?: string;
  readonly labelAt?: number;
  /** Pixels by which the text is lower, so that it doesn't touch another one. */
  readonly labelDown?: number;
  /** Thin lines without dots, for one of many. */
  readonly isThin?: boolean;
}

export interface Axis {
  readonly type: 'linear' | 'log';
  readonly domain: readonly [number, number];
  readonly ticks: readonly number[];
  readonly tickFormat: (value: number) => string;
  readonly text: string;
}

/** A value to compare with, and what it is. */
export interface Reference {
  readonly value: number;
  readonly text: string;
}

export interface LinePanel {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly heading?: string;
  readonly lines: readonly Line[];
  readonly across: Axis;
  readonly up: Axis;
  readonly references?: { readonly x?: Reference; readonly y?: Reference };
  /** The width for the texts at the lines' ends. */
  readonly labels: number;
}

/** Lines that are labelled at their ends. */
export function linePanel(panel: LinePanel): Panel {
  const { x, y, width, height, heading, lines, across, up, references = {}, labels } = panel;
  const scale = ({ type, domain }: Axis) => ({ type, domain: [...domain], label: null });
  // Plot leaves out labels of logarithmic scales on its own.
  const labelsOf = ({ ticks, tickFormat }: Axis) => ({
    text: ticks.map(tickFormat),
    tickSize: 0,
    label: null,
  });
  const reference = { stroke: colours.muted, strokeDasharray: '3,3' };
  return {
    ...{ x, y, ...(heading === undefined ? {} : { heading }) },
    options: {
      width,
      height,
      marginLeft: 62,
      marginRight: labels,
      marginTop: 26,
      marginBottom: 40,
      x: scale(across),
      y: scale(up),
      marks: [
        axisX(across.ticks, labelsOf(across)),
        axisY(up.ticks, labelsOf(up)),
        gridX(across.ticks, {}),
        gridY(up.ticks, {}),
        ...(references.x === undefined
          ? []
          : [
              ruleX([references.x.value], reference),
              text([references.x], {
                x: 'value',
                text: 'text',
                frameAnchor: 'bottom',
                dy: -8,
                dx: 6,
                textAnchor: 'start',
                stroke: colours.background,
                strokeWidth: 4,
                fill: colours.muted,
              }),
            ]),
        ...(references.y === undefined
          ? []
          : [
              ruleY([references.y.value], reference),
              text([references.y], {
                y: 'value',
                text: 'text',
                frameAnchor: 'left',
                dx: 6,
                dy: -8,
                textAnchor: 'start',
                stroke: colours.background,
                strokeWidth: 4,
                fill: colours.muted,
              }),
            ]),
        ...lines.flatMap(({ points, colour, label, labelAt = -1, labelDown = 0, isThin = false }) => {
          const last = points.at(labelAt);
          const ranged = points.filter(({ least, most }) => least !== undefined && most !== undefined);
          return [
            line(points, {
              ...{ x: 'x', y: 'y', stroke: colour, strokeWidth: isThin ? 1.25 : 2 },
            }),
            link(ranged, {
              x1: 'x',
              x2: 'x',
              y1: 'least',
              y2: 'most',
              stroke: colour,
              strokeWidth: 2,
              strokeOpacity: 0.6,
            }),
            ...(isThin
              ? []
              : [dot(points, { x: 'x', y: 'y', fill: colour, r: 3.5, stroke: colours.background })]),
            ...(label === undefined || last === undefined
              ? []
              : [
                  text([last], {
                    x: 'x',
                    y: 'y',
                    text: [label],
                    textAnchor: 'start',
                    dx: 9,
                    dy: labelDown,
                    fill: colour,
                    fontWeight: 600,
                    stroke: colours.background,
                    strokeWidth: 4,
                  }),
                ]),
          ];
        }),
        text([up.text], { frameAnchor: 'top-left', textAnchor: 'start', dx: -54, dy: -22 }),
        text([across.text], { frameAnchor: 'bottom-left', textAnchor: 'start', dy: 34 }),
      ],
    },
  };
}
