import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { GatewayError } from '../../../base/errors/errors.ts';
import { counted } from '../../../base/text/counted.ts';
import { parseJsonExactly } from '../../../base/text/exact-json.ts';
import { withoutKeys } from '../../../calls/access/key/key-text.ts';
import type { ShownRows } from '../../../calls/executor/shown-rows.ts';
import { rowRenderer } from '../../../rows/formats/render/row-renderer.ts';
import { columnNames } from '../../../sql/values/column-names.ts';
import { formatType } from '../../../sql/values/type.ts';
import type { Row } from '../../../sql/values/value.ts';
import { cursorParameter, type EndpointTool, howToShorten, maxRowsParameter } from './endpoint-tool.ts';

/**
 * The result of a call: a sentence about the number of rows, the rows as structured content, and the same as JSON text,
 * for clients that don't read structured content, as the protocol recommends.
 *
 * @param texts the first rows, as JSON
 * @param maxRows how many rows were wanted at most
 */
export function rowsResult(
  tool: EndpointTool,
  { columns, truncated, count: total }: Pick<ShownRows, 'columns' | 'count' | 'truncated'>,
  texts: readonly string[],
  maxRows: number,
): CallToolResult {
  const structuredContent = {
    ...contentOf(tool, columns, texts),
    total_rows: total,
    truncated: truncated || texts.length < total,
  };
  return {
    content: [
      { type: 'text', text: summary(tool, { shown: texts.length, total, truncated, maxRows }) },
      { type: 'text', text: JSON.stringify(structuredContent) },
    ],
    structuredContent,
  };
}

/**
 * The result of a call that reads pages: its rows, and the cursor of the next page.
 *
 * @param texts the rows, as JSON
 * @param next undefined for the last page
 */
export function pageResult(
  tool: EndpointTool,
  rows: Pick<ShownRows, 'columns' | 'count' | 'truncated'>,
  texts: readonly string[],
  next: string | undefined,
): CallToolResult {
  const page = { ...contentOf(tool, rows.columns, texts), total_rows: texts.length };
  const hasMore = next !== undefined || rows.truncated;
  const structuredContent = { ...page, truncated: hasMore, ...(next !== undefined && { next_cursor: next }) };
  const after =
    next !== undefined
      ? 'There are more: call again with next_cursor as cursor.'
      : rows.truncated
        ? "There are more, beyond the endpoint's maximum number of rows of all pages."
        : 'It is the last page.';
  return {
    content: [
      { type: 'text', text: `A page of ${counted(texts.length, 'row')}. ${after}` },
      { type: 'text', text: JSON.stringify(structuredContent) },
    ],
    structuredContent,
  };
}

function contentOf(tool: EndpointTool, columns: ShownRows['columns'], texts: readonly string[]) {
  const names = columnNames(columns);
  return {
    ...(tool.isAdHoc && {
      columns: columns.map(({ type }, index) => ({ name: names[index], type: formatType(type) })),
    }),
    rows: texts.map(parseJsonExactly),
  };
}

interface Numbers {
  readonly shown: number;
  readonly total: number;
  /** Whether the query has more rows than the total. */
  readonly truncated: boolean;
  readonly maxRows: number;
}

/** The largest JSON text of the rows of one tool call, in bytes. More would fill too much of a model's context. */
const maxRowBytes = 64_000;

function summary(tool: EndpointTool, numbers: Numbers): string {
  const { endpoint } = tool.shape;
  const { shown, total, truncated, maxRows } = numbers;
  const sentences =
    shown === total
      ? [`${counted(total, 'row')}.`]
      : [`The first ${shown.toLocaleString('en')} of ${counted(total, 'row')}.`];
  if (shown < Math.min(total, maxRows)) {
    sentences.push(`The others would exceed ${counted(maxRowBytes, 'byte')}. ${howToShorten(tool)}`);
  } else if (shown < total && maxRowsParameter(endpoint) !== undefined) {
    sentences.push('A higher max_rows returns more.');
  }
  if (truncated) {
    sentences.push(
      `The query has more rows than the endpoint's maximum of ${endpoint.maxRows.toLocaleString('en')}.`,
    );
    if (cursorParameter(endpoint, tool.isAdHoc) !== undefined)
      sentences.push('To read all of them, give cursor.');
  }
  return sentences.join(' ');
}

/** An error as the result of a call, so that the model reads it and can act on it. */
export function errorResult({ code, message, details }: GatewayError): CallToolResult {
  const { retryAfterSeconds: seconds } = details;
  const narrow =
    code === 'QUERY_TIMEOUT'
      ? ' The same call would take as long: narrow it, such as by a shorter time range.'
      : '';
  const retry = seconds === undefined ? '' : ` Try again in ${counted(Math.ceil(seconds), 'second')}.`;
  return {
    isError: true,
    content: [{ type: 'text', text: withoutKeys(`${code}: ${message}${narrow}${retry}`) }],
  };
}

interface Extent {
  readonly maxRows: number;
  /** Advice for rows that are too large. */
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
