import { describe, expect, test } from 'vitest';
import { RowValidationError } from '../../../../src/rows/ingest/encode/row-validation-error.ts';
import { makeSource } from '../../../engines/duckdb/store/support.ts';
import { computedMs } from '../../../support/computed-ms.ts';
import { rowEncoder } from '../../../support/row-encoder.ts';

const types = ['BOOL', 'INT64', 'FLOAT64', 'NUMERIC', 'STRING', 'BYTES', 'DATE', 'TIME', 'DATETIME', 'JSON'];

const source = makeSource(
  's',
  ...types.map((type) => ({ name: type.toLowerCase(), type })),
  { name: 'list', type: 'INT64', mode: 'REPEATED' },
  {
    name: 'Metadata',
    type: 'RECORD',
    mode: 'REPEATED',
    fields: [
      { name: 'request', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'statusCode', type: 'INT64' }] },
      { name: 'needed', type: 'RECORD', fields: [{ name: 'x', type: 'STRING', mode: 'REQUIRED' }] },
    ],
  },
);
const encode = rowEncoder(source);

const base = '"id":"a","timestamp":"2024-01-01T00:00:00Z"';

/** What a row with one more member becomes: the member's form in the store. */
function encodedMember(member: string): unknown {
  const row: Record<string, unknown> = JSON.parse(encode(`{${base},${member}}`));
  const name = (/^"([^"]*)"/.exec(member)?.[1] ?? '').toLowerCase();
  return row[name];
}

function reasonOf(text: string): string {
  try {
    encode(text);
  } catch (error) {
    if (error instanceof RowValidationError) return error.reason;
    throw error;
  }
  return 'it fits';
}

describe('a value that fits', () => {
  test.each([
    ['"bool":true', true],
    ['"int64":-9007199254740991', -9007199254740991],
    ['"int64":1e3', 1000],
    ['"int64":2.0', 2],
    ['"int64":"0042"', 42],
    ['"float64":1e308', 1e308],
    ['"float64":3', 3],
    ['"float64":"-Infinity"', '-Infinity'],
    ['"numeric":1.50', '1.5'],
    ['"numeric":"-00.10"', '-0.1'],
    ['"numeric":12345678901234567890123456789.123456789', '12345678901234567890123456789.123456789'],
    ['"numeric":1e28', '10000000000000000000000000000'],
    ['"string":"\\u0000 \\ud83d\\ude00 \\"\\\\"', '\0 😀 "\\'],
    ['"bytes":"AP8="', 'AP8='],
    ['"bytes":""', ''],
    ['"date":"2024-2-9"', '2024-02-09'],
    ['"time":"1:02:03.5"', '01:02:03.500000'],
    ['"datetime":"2024-02-29 01:02:03"', '2024-02-29T01:02:03'],
    ['"datetime":"2024-02-29"', '2024-02-29T00:00:00'],
    ['"json":"text"', '"text"'],
    [
      '"json":{"b":1.50,"a":[1e300,null,true,-0],"__proto__":{}}',
      '{"__proto__":{},"a":[1e+300,null,true,0],"b":1.5}',
    ],
    ['"list":[1,"2"]', [1, 2]],
    [
      '"metadata":[{"REQUEST":[{"statuscode":200}]},{}]',
      [{ request: [{ statuscode: 200 }] }, { request: [] }],
    ],
    ['"metadata":null', []],
    ['"metadata":[{"needed":null}]', [{ request: [] }]],
    ['"bool":null', undefined],
  ])('%s is taken', (member, form) => {
    expect(encodedMember(member)).toEqual(form);
  });

  test.each([
    ['"int64":9223372036854775807', '"int64":9223372036854775807'],
    ['"int64":-9223372036854775808', '"int64":-9223372036854775808'],
    ['"int64":"9223372036854775807"', '"int64":9223372036854775807'],
    ['"int64":9007199254740993', '"int64":9007199254740993'],
    ['"int64":9.223372036854775807e18', '"int64":9223372036854775807'],
    ['"float64":-0.0', '"float64":-0.0'],
    ['"float64":0.1', '"float64":0.1'],
  ])('%s keeps its digits', (member, form) => {
    expect(encode(`{${base},${member}}`)).toContain(form);
  });

  test.each([
    ['"2024-01-01T00:00:00Z"', '2024-01-01T00:00:00Z'],
    ['"2024-01-01T00:00:00.123456"', '2024-01-01T00:00:00.123456'],
    ['"2024-01-01T00:00:00.123456999Z"', '2024-01-01T00:00:00.123456'],
    ['"2024-01-31T23:59:59.123456999+05:30"', '2024-01-31T18:29:59.123456'],
    ['"2024-01-31T23:59:59.5+05:30"', '2024-01-31T18:29:59.500000'],
    ['"2024-01-01 00:00:00 UTC"', '2024-01-01T00:00:00'],
    ['"2024-01-01 00:00:00-08"', '2024-01-01T08:00:00'],
    ['"2024-1-1"', '2024-01-01T00:00:00'],
    ['1704067200000001', '2024-01-01T00:00:00.000001'],
    ['1704067200', '2024-01-01T00:00:00'],
    ['1704067200001', '2024-01-01T00:00:00.001000'],
    ['1704067200000001999', '2024-01-01T00:00:00.000001'],
    ['1704067200.5', '2024-01-01T00:00:00.500000'],
    ['-1', '1969-12-31T23:59:59.999999'],
    ['"0001-01-01T00:00:00Z"', '0001-01-01T00:00:00Z'],
    ['"9999-12-31T23:59:59.999999Z"', '9999-12-31T23:59:59.999999'],
    ['-9952051083562289', '1654-08-19T05:21:56.437711'],
  ])('the timestamp %s is taken', (value, form) => {
    expect(JSON.parse(encode(`{"id":"a","timestamp":${value}}`)).timestamp).toBe(form);
  });

  test('is found by its name in any letter case', () => {
    expect(JSON.parse(encode('{"ID":"a","TimeStamp":0}'))).toEqual({
      id: 'a',
      timestamp: '1970-01-01T00:00:00',
      list: [],
      metadata: [],
    });
  });
});

describe('a row that does not fit', () => {
  test.each([
    ['"bool":"true"', 'bool: expected BOOL, got "true"'],
    ['"bool":1', 'bool: expected BOOL, got 1'],
    ['"int64":"abc"', 'int64: expected INT64, got "abc"'],
    ['"int64":1.5', 'int64: expected INT64, got 1.5'],
    ['"int64":3.00000000000000001', 'int64: expected INT64, got 3.00000000000000001'],
    ['"int64":9223372036854775808', 'int64: expected INT64, got 9223372036854775808'],
    ['"int64":"-9223372036854775809"', 'int64: expected INT64, got "-9223372036854775809"'],
    ['"int64":1e400', 'int64: expected INT64, got 1e400'],
    ['"int64":true', 'int64: expected INT64, got true'],
    ['"int64":""', 'int64: expected INT64, got ""'],
    ['"float64":"1.5"', 'float64: expected FLOAT64, got "1.5"'],
    ['"float64":1e400', 'float64: expected FLOAT64, got 1e400'],
    ['"numeric":0.0000000001', 'numeric: expected NUMERIC, got 0.0000000001'],
    ['"numeric":1e29', 'numeric: expected NUMERIC, got 1e29'],
    ['"numeric":"NaN"', 'numeric: expected NUMERIC, got "NaN"'],
    ['"string":5', 'string: expected STRING, got 5'],
    ['"string":["a"]', 'string: expected STRING, got an array'],
    ['"string":"\\ud800"', 'string: not valid Unicode (half of a surrogate pair)'],
    ['"json":{"a":[1e400]}', 'json.a[0]: expected a number within FLOAT64, got 1e400'],
    ['"json":{"a":["\\udc00x"]}', 'json.a[0]: not valid Unicode (half of a surrogate pair)'],
    ['"bytes":"A"', 'bytes: expected BYTES in base64, got "A"'],
    ['"bytes":"A_8="', 'bytes: expected BYTES in base64, got "A_8="'],
    ['"date":"2023-02-29"', 'date: expected DATE, got "2023-02-29"'],
    ['"date":20230228', 'date: expected DATE, got 20230228'],
    ['"time":"24:00:00"', 'time: expected TIME, got "24:00:00"'],
    ['"time":"00:00:00.1234567"', 'time: expected TIME, got "00:00:00.1234567"'],
    ['"datetime":"2024-01-01T00:00:00Z"', 'datetime: expected DATETIME, got "2024-01-01T00:00:00Z"'],
    ['"list":5', 'list: expected an array, got 5'],
    ['"list":[1,null]', 'list[1]: null in a REPEATED field, which has no such elements: JSON does'],
    ['"list":[1,[2]]', 'list[1]: expected INT64, got an array'],
    ['"metadata":5', 'metadata: expected a record or an array of them, got 5'],
    ['"metadata":["x"]', 'Metadata[0]: expected a record, got "x"'],
    [
      '"metadata":[{"request":[{},{"statusCode":"abc"}]}]',
      'Metadata[0].request[1].statusCode: expected INT64, got "abc"',
    ],
    ['"metadata":[{"needed":{}}]', 'Metadata[0].needed.x: missing, but REQUIRED'],
    ['"metadata":[{"needed":{"x":null}}]', 'Metadata[0].needed.x: missing, but REQUIRED'],
    ['"metadata":[{"nope":1}]', 'Metadata[0].nope: unknown field'],
    ['"__proto__":{"id":"b"}', '__proto__: unknown field'],
    ['"constructor":1', 'constructor: unknown field'],
    ['"ID":"b"', 'ID: the field occurs twice'],
    ['"bool":null,"Bool":true', 'Bool: the field occurs twice'],
  ])('because of %s is refused with its reason', (member, reason) => {
    expect(reasonOf(`{${base},${member}}`).toLowerCase()).toBe(reason.toLowerCase());
  });

  test.each([
    '"2024-01-01T00:00:00.Z"',
    '"2023-02-29T00:00:00Z"',
    '"2024-13-01T00:00:00Z"',
    '"2024-01-01T24:00:00Z"',
    '"2024-01-01T00:00:60Z"',
    '"0000-12-31T23:59:59Z"',
    '"0001-01-01T00:00:00+01:00"',
    '"yesterday"',
    '""',
    '253402300800000000',
    '17040672000',
    '1.5',
    'true',
  ])('because of the timestamp %s is refused', (value) => {
    expect(reasonOf(`{"id":"a","timestamp":${value}}`)).toMatch(/^timestamp: expected TIMESTAMP, got /);
  });

  test.each([
    ['{"id":"a"}', 'timestamp: missing, but REQUIRED'],
    ['{"timestamp":0}', 'id: missing, but REQUIRED'],
    ['{"id":null,"timestamp":0}', 'id: missing, but REQUIRED'],
    ['[]', 'expected a record, got an array'],
    ['5', 'expected a record, got 5'],
    ['12345678901234567890', 'expected a record, got 12345678901234567890'],
    ['null', 'expected a record, got null'],
  ])('%s is refused', (text, reason) => {
    expect(reasonOf(text)).toBe(reason);
  });

  test.each(['{', '{"id":"a",}', "{'id':'a'}", '{"id":"a"} {}', 'NaN'])(
    '%s is refused as no JSON',
    (text) => {
      expect(reasonOf(text)).toMatch(/^not JSON: /);
    },
  );

  test('is refused before it is parsed when it has so many values, or levels, that others would wait', () => {
    const began = computedMs();
    expect(reasonOf(`[${'1,'.repeat(7_000_000)}1]`)).toMatch(/more than 250,000 values/);
    expect(reasonOf('['.repeat(15_000_000))).toMatch(/nested too deeply/);
    expect(computedMs() - began).toBeLessThan(2_000);
  });

  test('is refused when it nests too deeply, not met with a crash', () => {
    const nested = (depth: number) => `{${base},"json":${'['.repeat(depth)}1${']'.repeat(depth)}}`;
    expect(reasonOf(nested(500))).toBe('it fits');
    expect(reasonOf(nested(501))).toMatch(/^json(\[0\])+: more than 500 levels of JSON$/);
    expect(reasonOf(nested(1_000_000))).toMatch(/nested too deeply|levels of JSON/);
  });

  test('is shown shortened', () => {
    expect(reasonOf(`{${base},"bool":"${'x'.repeat(100)}"}`)).toBe(
      `bool: expected BOOL, got "${'x'.repeat(60)}…"`,
    );
  });

  test('may do without timestamp and id not even where the schema would let it', () => {
    const lax = makeSource('lax');
    const columns = lax.columns.map((column) => ({ ...column, mode: 'NULLABLE' as const }));
    expect(() => rowEncoder({ ...lax, columns })('{"id":"a"}')).toThrow('REQUIRED');
  });
});
