import { useEffect, useRef } from 'preact/hooks';
import { oneLine } from '../text/cell-text.ts';
import { fillOf, type SeriesStyle } from './series-style.ts';

export interface LegendEntry {
  readonly key: string;
  readonly name: string;
  readonly style: SeriesStyle;
  readonly isLine: boolean;
  readonly isShown: boolean;
  /** Its number at the pointer, or its total. */
  readonly value: string;
}

interface LegendProps {
  readonly entries: readonly LegendEntry[];
  /** What the numbers are of: a time, or the total. */
  readonly caption: string;
  readonly onToggle: (key: string) => void;
  readonly onOnly: (key: string) => void;
  readonly onAll: () => void;
}

/** The series of a chart: a click hides or shows one, with Alt, Ctrl or ⌘ it shows only this one. */
export function Legend({ entries, caption, onToggle, onOnly, onAll }: LegendProps) {
  return (
    <div class="legend">
      <ul aria-label="Series">
        {entries.map(({ key, name, style, isLine, isShown, value }) => (
          <li key={key}>
            <button
              type="button"
              class="legend-entry"
              aria-pressed={isShown}
              title={`${oneLine(name)}\nClick: hide or show\nAlt+click: only this one`}
              onClick={({ altKey, ctrlKey, metaKey }) =>
                altKey || ctrlKey || metaKey ? onOnly(key) : onToggle(key)
              }
            >
              <Swatch {...{ style, isLine }} />
              <bdi class="legend-name">{oneLine(name)}</bdi>
              <span class="legend-value">{value}</span>
            </button>
          </li>
        ))}
      </ul>
      <span class="quiet">{caption}</span>
      {entries.some(({ isShown }) => !isShown) && (
        <button type="button" class="small" onClick={onAll}>
          Show all
        </button>
      )}
    </div>
  );
}

/** In pixels. */
export const swatchSize = 14;

interface SwatchProps {
  readonly style: SeriesStyle;
  readonly isLine: boolean;
}

/** How a series looks in the chart. */
export function Swatch({ style, isLine }: SwatchProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context) return;
    const scale = Math.max(1, devicePixelRatio);
    element.width = swatchSize * scale;
    element.height = swatchSize * scale;
    context.scale(scale, scale);
    drawSwatch(context, { style, isLine }, 0, 0);
  }, [style, isLine]);
  return <canvas ref={canvas} class="legend-swatch" />;
}

export function drawSwatch(
  context: CanvasRenderingContext2D,
  { style, isLine }: SwatchProps,
  left: number,
  top: number,
): void {
  context.strokeStyle = style.colour;
  if (isLine) {
    context.lineWidth = 2;
    context.setLineDash([...style.dash]);
    context.beginPath();
    context.moveTo(left, top + swatchSize / 2);
    context.lineTo(left + swatchSize, top + swatchSize / 2);
    context.stroke();
    context.setLineDash([]);
    return;
  }
  context.fillStyle = fillOf(style);
  context.fillRect(left, top, swatchSize, swatchSize);
  if (style.texture === 0) return;
  context.lineWidth = 1;
  context.strokeRect(left + 0.5, top + 0.5, swatchSize - 1, swatchSize - 1);
}
