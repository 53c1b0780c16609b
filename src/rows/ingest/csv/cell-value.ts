import { isJsonNumber } from '../../../base/text/json-number.ts';
import { parsedJson } from '../../../base/text/parsed-json.ts';
import type { SourceColumn } from '../../../definitions/sources/source.ts';
import { elementType } from '../../../sql/values/type.ts';

/**
 * How a column's values are written as JSON, if they are texts in the file. Texts that are no value of the column become JSON
 * strings, which the row's encoder refuses with the reason.
 */
export function cellWriter({ type, mode }: Pick<SourceColumn, 'type' | 'mode'>): (cell: string) => string {
  const { kind } = elementType(type);
  if (mode === 'REPEATED' || kind === 'STRUCT' || kind === 'JSON') return jsonCell;
  if (kind === 'BOOL')
    return (cell) => (/^(?:true|false)$/i.test(cell) ? cell.toLowerCase() : JSON.stringify(cell));
  if (kind === 'INT64' || kind === 'FLOAT64' || kind === 'NUMERIC' || kind === 'TIMESTAMP')
    return (cell) => (isJsonNumber(cell) ? cell : JSON.stringify(cell));
  return (cell) => JSON.stringify(cell);
}

function jsonCell(cell: string): string {
  return parsedJson(cell) === undefined ? JSON.stringify(cell) : cell.replace(/[\r\n]/g, ' ');
}
