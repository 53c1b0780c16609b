import type { Colours } from './use-colours.ts';

/** The look of a series: its colour, and a texture and dashes where there are too few colours. */
export interface SeriesStyle {
  readonly colour: string;
  /** What is behind the strokes of a texture. */
  readonly background: string;
  /** 0 for a plain fill. */
  readonly texture: number;
  readonly dash: readonly number[];
}

const dashes: readonly (readonly number[])[] = [
  [],
  [8, 4],
  [2, 3],
  [10, 3, 2, 3],
  [4, 4],
  [14, 4],
  [6, 2, 2, 2],
  [1, 5],
];

/**
 * The style of a series by its place, whatever other ones are shown. Forced colours leave one colour only.
 *
 * @param own the variable of the style sheet with its own colour
 */
export function styleOf(index: number, own: string | undefined, colours: Colours): SeriesStyle {
  const { series, text, surface, isForced } = colours;
  const round = isForced ? index : Math.floor(index / series.length);
  const colour = own === undefined ? (series[index % series.length] ?? text) : colours.of(own);
  return {
    colour: isForced ? text : colour,
    background: surface,
    texture: round % textures.length,
    dash: dashes[round % dashes.length] ?? [],
  };
}

const tile = 8;

/** Draws the strokes of a texture into a tile. The first one is plain. */
const textures: readonly ((context: CanvasRenderingContext2D) => void)[] = [
  () => {},
  (context) => line(context, [-2, 10, 10, -2], [-2, 2, 2, -2], [6, 10, 10, 6]),
  (context) => context.fillRect(2, 2, 3, 3),
  (context) => line(context, [0, 2, 8, 2], [0, 6, 8, 6]),
  (context) => line(context, [-2, -2, 10, 10], [-2, 6, 2, 10], [6, -2, 10, 2]),
  (context) => line(context, [2, 0, 2, 8], [6, 0, 6, 8]),
  (context) => line(context, [-2, 10, 10, -2], [-2, -2, 10, 10]),
  (context) => line(context, [4, 0, 4, 8], [0, 4, 8, 4]),
];

function line(
  context: CanvasRenderingContext2D,
  ...lines: readonly (readonly [number, number, number, number])[]
) {
  for (const [x1, y1, x2, y2] of lines) {
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
    context.stroke();
  }
}

/** The fill of bars and areas. */
export function fillOf({ colour, background, texture }: SeriesStyle): string | CanvasPattern {
  if (texture === 0) return colour;
  return patternOf(colour, background, textures[texture] ?? (() => {})) ?? colour;
}

/** The pattern of a span of which nothing is known. */
export function hatchOf({ grid }: Colours): string | CanvasPattern {
  return patternOf(grid, undefined, textures[1] ?? (() => {})) ?? grid;
}

function patternOf(
  colour: string,
  background: string | undefined,
  draw: (context: CanvasRenderingContext2D) => void,
): CanvasPattern | null {
  const canvas = document.createElement('canvas');
  const scale = Math.max(1, Math.round(devicePixelRatio));
  canvas.width = tile * scale;
  canvas.height = tile * scale;
  const context = canvas.getContext('2d');
  if (context === null) return null;
  context.scale(scale, scale);
  if (background !== undefined) {
    context.fillStyle = background;
    context.fillRect(0, 0, tile, tile);
  }
  context.fillStyle = colour;
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  draw(context);
  return context.createPattern(canvas, 'repeat');
}
