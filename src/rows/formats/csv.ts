import type { ColumnBatch } from '../../sql/columns/column-batch.ts';
import { typeAt } from '../../sql/columns/rows-of-columns.ts';
import { columnNames } from '../../sql/values/column-names.ts';
import type { Column } from '../../sql/values/type.ts';
import type { ColumnFormat } from './format.ts';
import { ByteWriter } from './text/byte-writer.ts';
import { csvWriter, writeField } from './text/csv-writer.ts';

const [comma, lineEnd] = [Buffer.from(','), Buffer.from('\r\n')];

/**
 * RFC 4180 with a header. NULL is empty, an empty text is `""`, and nested values are JSON. A NULL that is alone in its
 * row is `""`: readers skip empty lines.
 */
export const csv: ColumnFormat = {
  name: 'csv',
  source: 'columns',
  contentType: 'text/csv; charset=utf-8; header=present',
  mediaTypes: ['text/csv', 'application/csv'],
  isCompressed: false,
  async *encode(columns, batches) {
    const out = new ByteWriter();
    writeHeader(out, columns);
    yield out.take();
    for await (const batch of batches) {
      writeRows(out, columns, batch);
      yield out.take();
    }
  },
};

function writeHeader(out: ByteWriter, columns: readonly Column[]): void {
  for (const [index, name] of columnNames(columns).entries()) {
    if (index > 0) out.all(comma);
    const text = Buffer.from(name);
    writeField(out, text, 0, text.length);
  }
  out.all(lineEnd);
}

function writeRows(out: ByteWriter, columns: readonly Column[], batch: ColumnBatch): void {
  const whenNull = Buffer.from(columns.length === 1 ? '""' : '');
  const fields = batch.columns.map((data, index) => ({
    end: index === columns.length - 1 ? lineEnd : comma,
    write: csvWriter(typeAt(columns, index), data, whenNull),
  }));
  for (let row = 0; row < batch.length; row++) {
    for (const { write, end } of fields) {
      write(out, row);
      out.all(end);
    }
  }
}
