import { afterAll, beforeAll, expect, test } from 'vitest';
import { constantSql } from '../../../src/sql/text/sql-text.ts';
import { formatType, type SqlType } from '../../../src/sql/values/type.ts';
import type { Value } from '../../../src/sql/values/value.ts';
import { Differential } from '../../engines/duckdb/differential/differential.ts';

let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start();
});
afterAll(() => differential?.[Symbol.asyncDispose]());

const scalars: readonly (readonly [SqlType, readonly Value[]])[] = [
  [{ kind: 'BOOL' }, [true, false, null]],
  [{ kind: 'INT64' }, [0n, -(2n ** 63n), 2n ** 63n - 1n, null]],
  [{ kind: 'FLOAT64' }, [0, -0, 1.5, -1e300, Number.NaN, Number.NEGATIVE_INFINITY, 5e-324, null]],
  [{ kind: 'NUMERIC' }, ['1.5', '-99999999999999999999999999999.999999999', null]],
  [{ kind: 'BIGNUMERIC' }, ['0.00000000000000000000000000000000000001', null]],
  [{ kind: 'STRING' }, ['', "it's \\ \"a\" `b`\n\t\0 \u2028 😀 ''' -- /* @x", null]],
  [{ kind: 'BYTES' }, ['', 'AP8n', null]],
  [{ kind: 'DATE' }, ['0001-01-01', '9999-12-31', null]],
  [{ kind: 'DATETIME' }, ['2026-11-20T06:00:00', '2026-11-20T06:00:00.000001', null]],
  [{ kind: 'TIME' }, ['23:59:59.999999', null]],
  [{ kind: 'TIMESTAMP' }, [-62_135_596_800_000_000n, 253_402_300_799_999_999n, null]],
  [{ kind: 'INTERVAL' }, ['1-2 -3 4:5:6.500', null]],
  [{ kind: 'JSON' }, ['{"a":["it\'s",null,1]}', 'null', null]],
];

const record: SqlType = {
  kind: 'STRUCT',
  fields: [
    { name: 'select', type: { kind: 'STRING' } },
    { name: 'list', type: { kind: 'ARRAY', element: { kind: 'INT64' } } },
    { name: 'only', type: { kind: 'STRUCT', fields: [{ name: 'a', type: { kind: 'FLOAT64' } }] } },
  ],
};
const nested: readonly (readonly [SqlType, readonly Value[]])[] = [
  [
    { kind: 'ARRAY', element: record },
    [
      [],
      [
        ['a', [1n, 2n], [1]],
        [null, [], null],
      ],
    ],
  ],
  [record, [null]],
];

test.each([...scalars, ...nested].map(([type, values]) => [formatType(type), type, values] as const))(
  'constants of type %s are the values, of exactly this type',
  async (_, type, values) => {
    for (const value of values) {
      const sql = `SELECT ${constantSql(type, value)} AS v`;
      expect(await differential.expected(sql)).toEqual([[value]]);
      const [column] = await differential.resultColumns(sql);
      expect(column && formatType(column.type)).toBe(formatType(type));
    }
  },
);
