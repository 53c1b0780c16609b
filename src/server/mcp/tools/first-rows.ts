import { GatewayError } from '../../../base/errors/errors.ts';
import { counted } from '../../../base/text/counted.ts';
import type { ShownRows } from '../../../calls/executor/shown-rows.ts';
import { rowRenderer } from '../../../rows/formats/render/row-renderer.ts';
import type { Row } from '../../../sql/values/value.ts';

/** The largest JSON text of the rows of one tool call, in bytes. More would fill too much of a model's context. */
export const maxRowBytes = 64_000;

interface Extent {
  readonly maxRows: number;
  /** What to do about rows that are too large. */
  readonly advice: string;
}

/**
 * The JSON texts of the first rows, as on REST, as many as are within the maximum of rows and of bytes.
 *
 * @throws GatewayError QUERY_FAILED if even the first one is too large; the signal's reason when it is aborted
 */
export async function firstRows(
  rows: ShownRows,
  { maxRows, advice }: Extent,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const render = rowRenderer(rows.columns);
  const texts: string[] = [];
  let bytes = 0;
  for (const row of await takeRows(rows, maxRows, signal)) {
    const text = render(row);
    bytes += Buffer.byteLength(text);
    if (bytes > maxRowBytes) {
      if (texts.length === 0) throw tooLarge(bytes, advice);
      break;
    }
    texts.push(text);
  }
  return texts;
}

async function takeRows(rows: ShownRows, count: number, signal: AbortSignal): Promise<readonly Row[]> {
  const taken: Row[] = [];
  for await (const chunk of rows.chunks(signal)) {
    taken.push(...chunk.slice(0, count - taken.length));
    if (taken.length === count) break;
  }
  return taken;
}

function tooLarge(bytes: number, advice: string): GatewayError {
  const message = `The first row alone has ${counted(bytes, 'byte')} of JSON. A tool returns at most ${counted(maxRowBytes, 'byte')}. ${advice}`;
  return new GatewayError('QUERY_FAILED', message);
}
