import type { RowFormat } from './format.ts';
import { rowRenderer } from './render/row-renderer.ts';

/** `{"result":[...]}`, the answer of an endpoint by default. */
export const json: RowFormat = {
  name: 'json',
  source: 'rows',
  contentType: 'application/json; charset=utf-8',
  mediaTypes: ['application/json'],
  isCompressed: false,
  async *encode(columns, rows, style) {
    const render = rowRenderer(columns, style);
    let lead = '{"result":[';
    for await (const some of rows) {
      if (some.length === 0) continue;
      yield Buffer.from(`${lead}${some.map(render).join(',')}`);
      lead = ',';
    }
    yield Buffer.from(lead === ',' ? ']}' : `${lead}]}`);
  },
};
