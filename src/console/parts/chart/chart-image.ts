import { oneLine } from '../text/cell-text.ts';
import { drawSwatch, type LegendEntry, swatchSize } from './legend.tsx';
import type { Colours } from './use-colours.ts';

/** What an image of a chart shows. Sizes are in pixels of the page. */
export interface Picture {
  readonly title: string;
  /** What stands below the chart, such as its zone. */
  readonly note: string;
  readonly legend: readonly LegendEntry[];
  readonly width: number;
  readonly height: number;
  readonly draw: (context: CanvasRenderingContext2D) => void;
}

const [margin, line, gap] = [16, 22, 16];
const fonts = { title: '600 16px system-ui, sans-serif', text: '13px system-ui, sans-serif' };

/** A chart with its title, legend and note as PNG. @throws Error if the browser can make none of this size */
export async function imageOf(picture: Picture, colours: Colours): Promise<Blob> {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser draws no images.');
  context.font = fonts.text;
  const entries = placed(picture, (text) => context.measureText(text).width);
  const rows = (entries.at(-1)?.row ?? -1) + 1;
  const width = picture.width + 2 * margin;
  const height = picture.height + 2 * margin + (rows + 2) * line + 8;
  const scale = Math.max(2, devicePixelRatio);
  canvas.width = width * scale;
  canvas.height = height * scale;
  context.scale(scale, scale);
  context.fillStyle = colours.surface;
  context.fillRect(0, 0, width, height);
  context.textBaseline = 'middle';
  const text = (shown: string, left: number, top: number, font: string, colour: string) => {
    context.font = font;
    context.fillStyle = colour;
    context.fillText(shown, left, top, width - left - margin);
  };
  text(oneLine(picture.title), margin, margin + line / 2, fonts.title, colours.text);
  context.save();
  context.translate(margin, margin + line + 8);
  picture.draw(context);
  context.restore();
  const below = margin + line + 8 + picture.height;
  for (const { entry, left, row, label } of entries) {
    const top = below + row * line;
    drawSwatch(context, entry, left, top + (line - swatchSize) / 2);
    text(label, left + swatchSize + 6, top + line / 2, fonts.text, colours.text);
  }
  text(picture.note, margin, below + rows * line + line / 2, fonts.text, colours.quiet);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('The chart is too large for an image.'));
      else resolve(blob);
    }, 'image/png'),
  );
}

/** The shown entries of the legend in lines. */
function placed({ legend, width }: Picture, measure: (text: string) => number) {
  let [left, row] = [margin, 0];
  return legend
    .filter(({ isShown }) => isShown)
    .map((entry) => {
      const label = `${oneLine(entry.name)}  ${entry.value}`;
      const needed = swatchSize + 6 + measure(label) + gap;
      if (left > margin && left + needed > width + margin) [left, row] = [margin, row + 1];
      const place = { entry, label, left, row };
      left += needed;
      return place;
    });
}
