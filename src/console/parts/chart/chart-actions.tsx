import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { fileName, saveFile } from '../copy/save-file.ts';
import { imageOf, type Picture } from './chart-image.ts';
import type { Colours } from './use-colours.ts';

interface ChartActionsProps {
  readonly colours: Colours;
  /** What an image of the chart shows now. */
  readonly picture: () => Picture | undefined;
  /** The chart's numbers, which are drawn when they are asked for. */
  readonly table: () => ComponentChildren;
  /** Further buttons. */
  readonly children?: ComponentChildren;
}

/** What can be done with a chart: its image, and its numbers as a table. */
export function ChartActions({ colours, picture, table, children }: ChartActionsProps) {
  const [hasTable, setHasTable] = useState(false);
  const [note, setNote] = useState('');
  const make = async (use: (image: Promise<Blob>, name: string) => Promise<string>) => {
    const shown = picture();
    if (shown === undefined) return;
    setNote(await use(imageOf(shown, colours), `${fileName(shown.title)}.png`).catch(String));
  };
  return (
    <>
      <div class="chart-actions">
        {children}
        <button type="button" class="small" aria-expanded={hasTable} onClick={() => setHasTable(!hasTable)}>
          {hasTable ? 'Hide table' : 'Show as table'}
        </button>
        <button type="button" class="small" onClick={() => make(copyImage)}>
          Copy image
        </button>
        <button
          type="button"
          class="small"
          onClick={() =>
            make(async (image, name) => {
              saveFile(await image, name);
              return '';
            })
          }
        >
          Save PNG
        </button>
        <span class="quiet" role="status">
          {note}
        </span>
      </div>
      {hasTable && table()}
    </>
  );
}

/** @returns what to say of it */
async function copyImage(image: Promise<Blob>): Promise<string> {
  try {
    // The promise is given as it is: Safari forgets the click while it is awaited.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': image })]);
    return 'Copied.';
  } catch {
    // An image that could not be made is another failure.
    await image;
    return 'The browser does not allow copying images here.';
  }
}
