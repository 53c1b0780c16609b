import { rowRenderer } from '../render/row-renderer.ts';
import type { Format } from './format.ts';

/** A JSON object in each line: https://github.com/ndjson/ndjson-spec */
export const ndjson: Format = {
  name: 'ndjson',
  contentType: 'application/x-ndjson; charset=utf-8',
  mediaTypes: ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/jsonlines'],
  isCompressed: false,
  async *encode(columns, rows, style) {
    const render = rowRenderer(columns, style);
    for await (const some of rows) yield Buffer.from(some.map((row) => `${render(row)}\n`).join(''));
  },
};
