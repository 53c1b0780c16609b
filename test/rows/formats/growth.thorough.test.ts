import { formats } from '../../../src/rows/formats/formats.ts';
import { plainStyle } from '../../../src/rows/formats/render/json-style.ts';
import { columnsOfRows } from '../../../src/sql/columns/columns-of-rows.ts';
import type { Column, SqlType } from '../../../src/sql/values/type.ts';
import type { Row, Value } from '../../../src/sql/values/value.ts';
import { testGrowth } from '../../support/growth.ts';

interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

const text: SqlType = { kind: 'STRING' };
const listOf = (element: SqlType): SqlType => ({ kind: 'ARRAY', element });
const named = (size: number, type: SqlType) =>
  Array.from({ length: size }, (_, i) => ({ name: `c${i}`, type }));
const many = (size: number, value: (i: number) => Value) => Array.from({ length: size }, (_, i) => value(i));
const nested = (levels: number): SqlType =>
  levels === 0 ? text : { kind: 'STRUCT', fields: [{ name: 'a', type: nested(levels - 1) }] };
const nestedValue = (levels: number): Value => (levels === 0 ? 'x' : [nestedValue(levels - 1)]);

/** Tables of a size, by what there is much of. */
const tables: Readonly<Record<string, (size: number) => Table>> = {
  rows: (size) => ({
    columns: named(3, text),
    rows: Array.from({ length: size }, (_, i) => [`${i}`, null, 'b']),
  }),
  columns: (size) => ({ columns: named(size, text), rows: [many(size, String)] }),
  'fields of a record': (size) => ({
    columns: [{ name: 'r', type: { kind: 'STRUCT', fields: named(size, text) } }],
    rows: [[many(size, String)]],
  }),
  'elements of a list': (size) => ({ columns: named(1, listOf(text)), rows: [[many(size, String)]] }),
  'records in a list': (size) => ({
    columns: named(1, listOf(nested(10))),
    rows: [[many(size, () => nestedValue(10))]],
  }),
  'characters to escape': (size) => ({ columns: named(1, text), rows: [['"\\\n\u0001é'.repeat(size)]] }),
  'JSON with line ends': (size) => ({
    columns: named(1, { kind: 'JSON' }),
    rows: [[`[${'1,\n'.repeat(size)}1]`]],
  }),
};

for (const format of Object.values(formats)) {
  testGrowth(
    `An answer in ${format.name}`,
    tables,
    async ({ columns, rows }) => {
      const pieces =
        format.source === 'rows'
          ? format.encode(columns, only(rows), plainStyle)
          : format.encode(columns, only(columnsOfRows(columns, rows)), plainStyle);
      for await (const _ of pieces);
    },
    { size: 500, maxSize: format.name === 'parquet' || format.name === 'arrow' ? 8_000 : 200_000 },
  );
}

async function* only<Part>(part: Part): AsyncGenerator<Part> {
  yield part;
}
