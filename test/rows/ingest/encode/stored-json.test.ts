import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseWithDigits } from '../../../../src/base/text/json-number.ts';
import { writeJson } from '../../../../src/engines/duckdb/udf/json/json-value.ts';
import { parseJson } from '../../../../src/engines/duckdb/udf/json/parser.ts';
import { RowValidationError } from '../../../../src/rows/ingest/encode/row-validation-error.ts';
import { storedJson } from '../../../../src/rows/ingest/encode/stored-json.ts';
import { RowParser } from '../../../../src/rows/ingest/parse/row-parser.ts';
import { makeSource } from '../../../engines/duckdb/store/support.ts';
import { parse, reasons } from '../events/support.ts';

const stored = (text: string) => storedJson(parseWithDigits(text));

function reasonOf(text: string): string {
  try {
    return stored(text);
  } catch (error) {
    if (error instanceof RowValidationError) return error.reason;
    throw error;
  }
}

test.each([
  ['{"b": 1E2, "a": 1.50}', '{"a":1.5,"b":100.0}'],
  ['{"a":1,"b":{"c":1,"c":2},"a":3}', '{"a":1,"b":{"c":1}}'],
  ['[1, 1.0, 1e0, -0, -0.0, 18446744073709551615]', '[1,1.0,1.0,0,-0.0,18446744073709551615]'],
  ['"\\u0041\\/\\u00e9\\u001F"', '"A/é\\u001f"'],
  ['{"ａ":1,"😀":2,"é":3,"z":4}', '{"z":4,"é":3,"ａ":1,"😀":2}'],
  ['{"__proto__":1,"10":2,"9":3}', '{"10":2,"9":3,"__proto__":1}'],
  ['0.1000000000000000055511', '0.1'],
  ['100000000000000000000', '1e+20'],
  ['null', 'null'],
])('%s is stored as %s', (text, form) => {
  expect(stored(text)).toBe(form);
  expect(stored(form)).toBe(form);
});

test('the form is that of PARSE_JSON', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(stored(text)).toBe(writeJson(parseJson(text, 'round')));
    }),
  );
});

test.each([
  ['1e309', 'expected a number within FLOAT64, got 1e309'],
  ['{"a":[{"b":-1e400}]}', 'a[0].b: expected a number within FLOAT64, got -1e400'],
  [
    '{"id":12345678901234567890123}',
    'id: expected a whole number of 64 bits or one that FLOAT64 has, got 12345678901234567890123',
  ],
  ['"\\ud800"', 'not valid Unicode (half of a surrogate pair)'],
])('%s is rejected', (text, reason) => {
  expect(reasonOf(text)).toBe(reason);
});

test('more levels than BigQuery takes are rejected, with the beginning of their path', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
  expect(stored(nested(500))).toBe(nested(500));
  expect(reasonOf(nested(501))).toBe(`${'[0]'.repeat(20)}: more than 500 levels of JSON`);
});

const source = {
  ...makeSource(
    'app',
    { name: 'doc', type: 'JSON' },
    {
      name: 'rec',
      type: 'RECORD',
      mode: 'REPEATED',
      fields: [{ name: 'docs', type: 'JSON', mode: 'REPEATED' }],
    },
  ),
};

test.each([
  ['an object', (event: string) => event],
  ['an array', (event: string) => `[${event}]`],
  ['a batch', (event: string) => `{"batch":[${event}]}`],
  ['lines', (event: string) => `${event}\n{"id":"b"}`],
])('events in %s get the one form, and are rejected by field', (_, bodyOf) => {
  const good = '{"id":"a","doc":{"b":"x","a":1.50,"b":"y"},"rec":[{"docs":[1E2]},{"docs":[]}]}';
  const [rows] = parse(bodyOf(good), source).sources[0]?.parts.slice(-1) ?? [];
  const [line = ''] = rows !== undefined && 'text' in rows ? rows.text.split('\n') : [];
  expect(JSON.parse(line)).toMatchObject({
    doc: '{"a":1.5,"b":"x"}',
    rec: [{ docs: ['100.0'] }, { docs: [] }],
  });
  expect(reasons(parse(bodyOf('{"doc":{"n":1e309}}'), source))[0]).toMatch(
    /^(?:event|line) 1: type: doc\.n: expected a number within FLOAT64, got 1e309$/,
  );
  expect(reasons(parse(bodyOf('{"rec":[{"docs":[1,{"a":-1e400}]}]}'), source))[0]).toMatch(
    / rec\[0\]\.docs\[1\]\.a: expected a number within FLOAT64, got -1e400$/,
  );
});

test('so do uploaded and imported rows, and log records', () => {
  const parser = new RowParser(source);
  const row = (doc: string) => `{"id":"a","timestamp":"2026-01-01T00:00:00Z","doc":${doc}}`;
  expect(parser.add({ number: 1, text: row('{"b":1E2,"a":"x","a":"y"}') })).toBeUndefined();
  expect(parser.add({ number: 2, text: row('{"n":[1e309]}') })?.reason).toBe(
    'doc.n[0]: expected a number within FLOAT64, got 1e309',
  );
  expect(JSON.stringify(parser.take())).toContain(JSON.stringify('{"a":"x","b":100.0}').slice(1, -1));

  const logs = (value: object) => ({
    resourceLogs: [{ scopeLogs: [{ logRecords: [{ attributes: [{ key: 'b', value }] }] }] }],
  });
  const otlp = { ...makeSource('app', { name: 'metadata', type: 'JSON' }) };
  const options = { format: 'otlp-json', partial: true } as const;
  const parsed = parse(
    logs({ kvlistValue: { values: [{ key: 'a', value: { intValue: '1' } }] } }),
    otlp,
    options,
  );
  expect(JSON.stringify(parsed.sources[0]?.parts)).toContain(
    JSON.stringify('{"attributes":{"b":{"a":1}}}').slice(1, -1),
  );
});
