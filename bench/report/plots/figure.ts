import { type PlotOptions, plot } from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { colours, darkStyle, fontFamily, fontSize } from './theme.ts';

/** The width of all figures, in pixels: about that of a text column on GitHub. */
export const figureWidth = 820;

/** A plot at a place of a figure. */
export interface Panel {
  readonly x: number;
  readonly y: number;
  /** Its heading, if it has one, above it. */
  readonly heading?: string;
  readonly options: PlotOptions & { readonly width: number; readonly height: number };
}

export interface Figure {
  readonly height: number;
  /** What is to be seen, for those who don't. */
  readonly alternative: string;
  readonly panels: readonly Panel[];
}

const headingHeight = 22;
const margin = 16;

/** The figure as an SVG document, which needs nothing else. The same figure always gives the same text. */
export function figureSvg({ height, alternative, panels }: Figure): string {
  const [width, whole] = [figureWidth, height + 2 * margin];
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${whole}" viewBox="0 0 ${width} ${whole}" role="img" color="${colours.muted}" font-family="${fontFamily}" font-size="${fontSize}">`,
    `<title>${escaped(alternative)}</title>`,
    `<style>${darkStyle}</style>`,
    `<rect width="${width}" height="${whole}" rx="6" fill="${colours.background}"/>`,
    ...panels.map(panelSvg),
    '</svg>',
  ].join('\n')}\n`;
}

function panelSvg({ x, y, heading, options }: Panel): string {
  const top = y + margin;
  const title =
    heading === undefined
      ? ''
      : `<text x="${x + margin}" y="${top + 12}" font-size="13" font-weight="600" fill="${colours.ink}">${escaped(heading)}</text>`;
  const { width, height } = options;
  const offset = heading === undefined ? 0 : headingHeight;
  const drawn = drawPlot(options);
  return `${title}<svg x="${x}" y="${top + offset}" width="${width}" height="${height}" overflow="visible" fill="currentColor" text-anchor="middle">${drawn}</svg>`;
}

/** The content of the SVG element that the library draws. */
function drawPlot(options: PlotOptions): string {
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const element: { readonly innerHTML: string } = plot({ ...options, document });
  return (
    element.innerHTML
      // Its own style would apply to the whole figure.
      .replace(/<style>.*?<\/style>/s, '')
      .replace(/<text [^<>]*\/>/g, '')
      .replace(/-?\d+\.\d{3,}/g, (number) => String(Number(Number(number).toFixed(2))))
  );
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
