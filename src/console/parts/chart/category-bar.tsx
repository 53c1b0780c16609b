import { useEffect, useRef } from 'preact/hooks';
import { fillOf, type SeriesStyle } from './series-style.ts';
import type { Colours } from './use-colours.ts';

interface BarPart {
  readonly name: string;
  /** Of the longest bar. */
  readonly part: number;
  readonly style: SeriesStyle;
}

interface Bar {
  readonly name: string;
  readonly text: string;
  readonly parts: readonly BarPart[];
}

/** A category: its name, its bar of several parts, and its number. */
export function CategoryBar({ name, text, parts }: Bar) {
  return (
    <li>
      <bdi class="bars-name" title={name}>
        {name}
      </bdi>
      <span class="bars-track">
        {parts.map((one) => (
          <PartOfBar key={one.name} {...one} />
        ))}
      </span>
      <span class="bars-value">{text}</span>
    </li>
  );
}

/** A canvas, so that textures are as in other charts, and forced colours leave them. */
function PartOfBar({ part, style }: BarPart) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context) return;
    element.width = style.texture === 0 ? 1 : Math.max(1, element.clientWidth);
    element.height = barHeight;
    fillBar(context, style, { left: 0, top: 0, width: element.width, height: barHeight });
  }, [part, style]);
  return <canvas ref={canvas} class="bars-bar" style={{ width: `${part * 100}%` }} />;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

function fillBar(
  context: CanvasRenderingContext2D,
  style: SeriesStyle,
  { left, top, width, height }: Box,
): void {
  context.fillStyle = fillOf(style);
  context.fillRect(left, top, width, height);
  if (style.texture === 0) return;
  context.strokeStyle = style.colour;
  context.lineWidth = 1;
  context.strokeRect(left + 0.5, top + 0.5, Math.max(0, width - 1), height - 1);
}

/** As in the style sheet. */
const barHeight = 18;
const [rowHeight, nameWidth, trackWidth, valueWidth] = [24, 240, 420, 140];

/** The bars as a part of an image. */
export function drawBars(bars: readonly Bar[], colours: Colours) {
  const draw = (context: CanvasRenderingContext2D) => {
    context.font = '13px system-ui, sans-serif';
    context.textBaseline = 'middle';
    for (const [index, { name, text, parts }] of bars.entries()) {
      const top = index * rowHeight;
      const middle = top + rowHeight / 2;
      context.fillStyle = colours.text;
      context.fillText(name, 0, middle, nameWidth - 12);
      let left = nameWidth;
      for (const { part, style } of parts) {
        const width = part * trackWidth;
        fillBar(context, style, { left, top: top + 3, width, height: barHeight });
        left += width;
      }
      context.fillStyle = colours.text;
      context.fillText(text, nameWidth + trackWidth + 12, middle, valueWidth - 12);
    }
  };
  return { width: nameWidth + trackWidth + valueWidth, height: bars.length * rowHeight, draw };
}
