import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { GatewayError } from '../../../base/errors/errors.ts';
import { counted } from '../../../base/text/counted.ts';
import { parseJsonExactly } from '../../../base/text/exact-json.ts';
import { withoutKeys } from '../../../calls/access/key/key-text.ts';
import type { ShownRows } from '../../../calls/executor/shown-rows.ts';
import { columnNames } from '../../../sql/values/column-names.ts';
import { formatType } from '../../../sql/values/type.ts';
import { type EndpointTool, maxRowsParameter } from './endpoint-tool.ts';
import { maxRowBytes } from './first-rows.ts';
import { howToShorten } from './how-to-shorten.ts';

/**
 * The result of a call: a sentence about the number of rows, the rows as structured content, and the same as JSON text,
 * which the protocol wants for clients that don't read structured content.
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
  const names = columnNames(columns);
  const structuredContent = {
    ...(tool.isAdHoc && {
      columns: columns.map(({ type }, index) => ({ name: names[index], type: formatType(type) })),
    }),
    rows: texts.map(parseJsonExactly),
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

interface Numbers {
  readonly shown: number;
  readonly total: number;
  /** Whether the query has more rows than the total. */
  readonly truncated: boolean;
  readonly maxRows: number;
}

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
