import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import { asMessage } from '../../../src/sql/resolved/node.ts';
import { ResolvedNode } from '../../../src/sql/resolved/resolved-node.ts';
import { valueFromProto } from '../../../src/sql/resolved/value-from-proto.ts';
import { formatType } from '../../../src/sql/values/type.ts';

let analyzer: Analyzer;
beforeAll(async () => {
  analyzer = await Analyzer.start();
});
afterAll(() => analyzer.close());

async function literal(sql: string) {
  const statement = await analyzer.analyze(`select ${sql}`, {
    catalog: { tables: [] },
    parameters: new Map(),
  });
  const [column] = new ResolvedNode(statement).child('query').list('expr_list');
  const expression = column?.child('expr');
  if (expression === undefined) throw new Error('No expression');
  const type = expression.type();
  return {
    type: formatType(type),
    value: valueFromProto(type, asMessage(expression.message('value').value, 'value')),
  };
}

describe('a literal of the analyzer', () => {
  test.each([
    ['true', 'BOOL', true],
    ['-9223372036854775808', 'INT64', -(2n ** 63n)],
    ['1e300', 'FLOAT64', 1e300],
    ["cast('nan' as float64)", 'FLOAT64', Number.NaN],
    [`'it\\'s "x"'`, 'STRING', 'it\'s "x"'],
    ["b'\\x00\\xff'", 'BYTES', 'AP8='],
    ["date '0001-01-01'", 'DATE', '0001-01-01'],
    ["date '9999-12-31'", 'DATE', '9999-12-31'],
    ["datetime '0012-03-04 05:06:07.89'", 'DATETIME', '0012-03-04T05:06:07.890000'],
    ["datetime '2024-01-02'", 'DATETIME', '2024-01-02T00:00:00'],
    ["time '23:59:59.000001'", 'TIME', '23:59:59.000001'],
    ["timestamp '1969-12-31 23:59:59.999999+00'", 'TIMESTAMP', -1n],
    ["numeric '-1.50'", 'NUMERIC', '-1.5'],
    [
      "numeric '99999999999999999999999999999.999999999'",
      'NUMERIC',
      '99999999999999999999999999999.999999999',
    ],
    [
      "bignumeric '0.00000000000000000000000000000000000001'",
      'BIGNUMERIC',
      '0.00000000000000000000000000000000000001',
    ],
    ["bignumeric '-12'", 'BIGNUMERIC', '-12'],
    [`json '{"a": [1]}'`, 'JSON', '{"a":[1]}'],
    ["interval '-1-2 3 -4:5:6.5' year to second", 'INTERVAL', '-1-2 3 -4:5:6.500'],
    ['[1, null]', 'ARRAY<INT64>', [1n, null]],
    ['cast(null as struct<a int64, b string>)', 'STRUCT<a INT64, b STRING>', null],
  ])('%s', async (sql, type, value) => {
    expect(await literal(sql)).toEqual({ type, value });
  });
});
