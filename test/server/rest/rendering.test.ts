import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rowsInMemory } from '../../../src/engines/rows/result-rows.ts';
import { json as jsonFormat } from '../../../src/rows/formats/json.ts';
import { plainStyle } from '../../../src/rows/formats/render/json-style.ts';
import { rowRenderer } from '../../../src/rows/formats/render/row-renderer.ts';
import { gather } from '../../../src/server/rest/answers/make-body.ts';
import type { Column, SqlType } from '../../../src/sql/values/type.ts';
import type { Row, Value } from '../../../src/sql/values/value.ts';

async function render(columns: readonly Column[], ...rows: Row[]): Promise<string> {
  return (await gather(jsonFormat.encode(columns, rowsInMemory(rows).chunks(), plainStyle))).toString();
}

/** The JSON text of one value. */
function json(type: SqlType, value: Value): string {
  return rowRenderer([{ name: 'v', type }])([value]).slice('{"v":'.length, -'}'.length);
}

const struct: SqlType = {
  kind: 'STRUCT',
  fields: [
    { name: 'status', type: { kind: 'INT64' } },
    { name: '', type: { kind: 'STRING' } },
    { name: 'tags', type: { kind: 'ARRAY', element: { kind: 'STRING' } } },
  ],
};

describe('a value', () => {
  test.each<[SqlType, Value, string]>([
    [{ kind: 'BOOL' }, true, 'true'],
    [{ kind: 'BOOL' }, false, 'false'],
    [{ kind: 'INT64' }, 9223372036854775807n, '9223372036854775807'],
    [{ kind: 'INT64' }, -9223372036854775808n, '-9223372036854775808'],
    [{ kind: 'FLOAT64' }, 3, '3.0'],
    [{ kind: 'FLOAT64' }, -0, '-0.0'],
    [{ kind: 'FLOAT64' }, 0.1, '0.1'],
    [{ kind: 'FLOAT64' }, 1e20, '100000000000000000000.0'],
    [{ kind: 'FLOAT64' }, 1e21, '1e+21'],
    [{ kind: 'FLOAT64' }, 5e-324, '5e-324'],
    [{ kind: 'FLOAT64' }, Number.NaN, 'null'],
    [{ kind: 'FLOAT64' }, Infinity, 'null'],
    [{ kind: 'FLOAT64' }, -Infinity, 'null'],
    [{ kind: 'STRING' }, 'a"\\\n\u0001é\u{1f600}', '"a\\"\\\\\\n\\u0001é\u{1f600}"'],
    [{ kind: 'STRING' }, '', '""'],
    [{ kind: 'TIMESTAMP' }, 1_738_319_400_123_456n, '1738319400123456'],
    [{ kind: 'TIMESTAMP' }, -1n, '-1'],
    [{ kind: 'DATETIME' }, '2025-01-31T10:30:00', '"2025-01-31T10:30:00"'],
    [{ kind: 'DATE' }, '2025-01-31', '"2025-01-31"'],
    [{ kind: 'TIME' }, '10:30:00.250000', '"10:30:00.250000"'],
    [{ kind: 'NUMERIC' }, '1.5', '"1.5"'],
    [
      { kind: 'BIGNUMERIC' },
      '-0.00000000000000000000000000000000000001',
      '"-0.00000000000000000000000000000000000001"',
    ],
    [{ kind: 'BYTES' }, 'AP8=', '"AP8="'],
    [{ kind: 'JSON' }, '{"a": 1.50}', '"{\\"a\\": 1.50}"'],
    [{ kind: 'JSON' }, 'null', '"null"'],
    [{ kind: 'INTERVAL' }, '0-1 2 3:4:5', '"0-1 2 3:4:5"'],
    [{ kind: 'ARRAY', element: { kind: 'INT64' } }, [1n, null, 2n], '[1,null,2]'],
    [{ kind: 'ARRAY', element: { kind: 'INT64' } }, [], '[]'],
    [{ kind: 'ARRAY', element: { kind: 'INT64' } }, null, '[]'],
    [struct, [200n, 'x', null], '{"status":200,"_field_2":"x","tags":[]}'],
    [struct, [null, null, ['a']], '{"status":null,"_field_2":null,"tags":["a"]}'],
    [struct, null, 'null'],
    [{ kind: 'STRUCT', fields: [{ name: 'inner', type: struct }] }, [null], '{"inner":null}'],
    [{ kind: 'STRUCT', fields: [] }, [], '{}'],
    [{ kind: 'ARRAY', element: struct }, [[1n, '', []], null], '[{"status":1,"_field_2":"","tags":[]},null]'],
  ])('of type %o that is %o is written %s', (type, value, text) => {
    expect(json(type, value)).toBe(text);
  });

  test.each<SqlType['kind']>([
    'BOOL',
    'INT64',
    'FLOAT64',
    'STRING',
    'TIMESTAMP',
    'DATE',
    'NUMERIC',
    'BYTES',
    'JSON',
  ])('of type %s that is NULL is null', (kind) => {
    expect(json({ kind } as SqlType, null)).toBe('null');
  });

  test.each<[SqlType, Value]>([
    [{ kind: 'INT64' }, 1],
    [{ kind: 'TIMESTAMP' }, '2025-01-31'],
    [{ kind: 'STRING' }, 1n],
    [{ kind: 'BOOL' }, 'true'],
    [{ kind: 'ARRAY', element: { kind: 'INT64' } }, 1n],
    [struct, [1n]],
  ])('of type %o that is %o instead is a defect, not an answer', (type, value) => {
    expect(() => json(type, value)).toThrow('the engine returned a value that is not of type');
  });

  test('is what JSON.parse reads back', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary' })),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (texts, number) => {
          const columns: Column[] = [
            { name: '"k"', type: { kind: 'ARRAY', element: { kind: 'STRING' } } },
            { name: 'n', type: { kind: 'FLOAT64' } },
          ];
          expect(JSON.parse(rowRenderer(columns)([texts, number]))).toEqual({ '"k"': texts, n: number });
        },
      ),
    );
  });
});

describe('a result', () => {
  const int: SqlType = { kind: 'INT64' };

  test('without rows is an empty list', async () => {
    expect(await render([{ name: 'a', type: int }])).toBe('{"result":[]}');
  });

  test('has its columns in the order of the query, NULLs included', async () => {
    const columns = [
      { name: 'z', type: int },
      { name: '10', type: int },
      { name: 'a', type: int },
    ];
    expect(await render(columns, [1n, null, 3n], [4n, 5n, 6n])).toBe(
      '{"result":[{"z":1,"10":null,"a":3},{"z":4,"10":5,"a":6}]}',
    );
  });

  test('is refused, not made, beyond 100 MB', async () => {
    const row: Row = ['x'.repeat(1_000_000)];
    const columns: Column[] = [{ name: 'v', type: { kind: 'STRING' } }];
    expect((await render(columns, ...Array<Row>(99).fill(row))).length).toBeGreaterThan(99_000_000);
    await expect(render(columns, ...Array<Row>(100).fill(row))).rejects.toThrow(
      'larger than 100,000,000 bytes',
    );
  });

  test('names its unnamed columns f0_, f1_, ...', async () => {
    const unnamed = { name: '', type: int };
    expect(await render([unnamed, unnamed], [1n, 2n])).toBe('{"result":[{"f0_":1,"f1_":2}]}');
    expect(await render([{ name: 'a', type: int }, unnamed], [1n, 2n])).toBe('{"result":[{"a":1,"f0_":2}]}');
  });
});
