import { columnNames } from '../../sql/values/column-names.ts';
import type { ColumnFormat } from './format.ts';
import { ByteWriter } from './text/byte-writer.ts';
import { objectWriter } from './text/json-writer.ts';

const lineFeed = 0x0a;

/** A JSON object in each line: https://github.com/ndjson/ndjson-spec */
export const ndjson: ColumnFormat = {
  name: 'ndjson',
  source: 'columns',
  contentType: 'application/x-ndjson; charset=utf-8',
  mediaTypes: ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/jsonlines'],
  isCompressed: false,
  async *encode(columns, batches, style) {
    const names = columnNames(columns);
    const types = columns.map(({ type }) => type);
    const out = new ByteWriter();
    for await (const batch of batches) {
      const write = objectWriter(names, types, style, batch.columns);
      for (let row = 0; row < batch.length; row++) {
        write(out, row);
        out.byte(lineFeed);
      }
      yield out.take();
    }
  },
};
