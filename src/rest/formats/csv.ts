import { columnNames } from '../../sql/column-names.ts';
import type { SqlType } from '../../sql/type.ts';
import type { Value } from '../../sql/value.ts';
import { jsonStyle } from '../render/json-style.ts';
import { timestampText, valueRenderer } from '../render/value-renderer.ts';
import type { Format } from './format.ts';

/**
 * RFC 4180 with a header. NULL is empty, an empty text is `""`, and nested values are JSON. A NULL that is alone in its
 * row is `""`: readers skip empty lines.
 */
export const csv: Format = {
  name: 'csv',
  contentType: 'text/csv; charset=utf-8; header=present',
  mediaTypes: ['text/csv', 'application/csv'],
  isCompressed: false,
  async *encode(columns, rows) {
    const renderers = columns.map(({ type }) => fieldRenderer(type));
    const whenNull = columns.length === 1 ? '""' : '';
    yield Buffer.from(`${columnNames(columns).map(quoted).join(',')}\r\n`);
    for await (const some of rows) {
      let text = '';
      for (const row of some) {
        let separator = '';
        for (const [index, render] of renderers.entries()) {
          const value = row[index] ?? null;
          text += separator + (value === null ? whenNull : render(value));
          separator = ',';
        }
        text += '\r\n';
      }
      yield Buffer.from(text);
    }
  },
};

/** Renders a value that isn't NULL. */
type FieldRenderer = (value: Value) => string;

function fieldRenderer(type: SqlType): FieldRenderer {
  switch (type.kind) {
    case 'TIMESTAMP':
      return (value) => timestampText(BigInt(value as bigint));
    case 'FLOAT64':
      return (value) => (Object.is(value, -0) ? '-0' : String(value));
    case 'BOOL':
    case 'INT64':
      return String;
    case 'ARRAY':
    case 'STRUCT': {
      const render = valueRenderer(type, jsonStyle({ timestamps: 'iso' }));
      return (value) => quoted(render(value));
    }
    default:
      return (value) => quoted(String(value));
  }
}

/** The characters that a field can contain only in quotes. Some readers trim spaces. */
const special = /[",\r\n]|^\s|\s$/;

function quoted(text: string): string {
  return text === '' || special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
