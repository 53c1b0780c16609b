import { describe, expect, test } from 'vitest';
import { parseSource } from '../../../src/definitions/sources/parse-source.ts';
import type { Source } from '../../../src/definitions/sources/source.ts';
import type { WholeRows } from '../../../src/engines/duckdb/store/insert/row-batch.ts';
import { rowsToInsert } from '../../../src/rows/ingest/insert-all/insert-events.ts';
import { makeSource } from '../../engines/duckdb/store/support.ts';
import { rowEncoder } from '../../support/row-encoder.ts';

const source = makeSource(
  's',
  ...['BOOL', 'INT64', 'FLOAT64', 'NUMERIC', 'STRING', 'BYTES', 'DATE', 'TIME', 'DATETIME', 'JSON'].map(
    (type) => ({
      name: type.toLowerCase(),
      type,
    }),
  ),
  { name: 'list', type: 'INT64', mode: 'REPEATED' },
  {
    name: 'Metadata',
    type: 'RECORD',
    mode: 'REPEATED',
    fields: [
      { name: 'statusCode', type: 'INT64' },
      { name: 'seenAt', type: 'TIMESTAMP' },
    ],
  },
);

/** The rows that the store would get. */
function whole(of: Source, ...texts: readonly string[]): WholeRows {
  return { rows: texts.length, text: texts.map(rowEncoder(of)).join('\n') };
}

const base = '"id":"a","timestamp":"2024-01-01T00:00:00Z"';

function converted(member: string): unknown {
  const [row] = rowsToInsert(source)(whole(source, `{${base},${member}}`));
  return JSON.parse(row?.json ?? '');
}

const others = { id: 'a', timestamp: '2024-01-01T00:00:00Z', list: [], Metadata: [] };

describe('a value has the form of insertAll', () => {
  test.each([
    ['"bool":false', { bool: false }],
    ['"int64":7', { int64: '7' }],
    ['"int64":9007199254740993', { int64: '9007199254740993' }],
    ['"int64":-9223372036854775808', { int64: '-9223372036854775808' }],
    ['"float64":1.5', { float64: 1.5 }],
    ['"float64":0.1234567890123456789', { float64: 0.12345678901234568 }],
    ['"float64":-0.0', { float64: '-0.0' }],
    ['"float64":"-Infinity"', { float64: '-Infinity' }],
    ['"numeric":12345678901234567890.123', { numeric: '12345678901234567890.123' }],
    ['"string":"\\u0000 \\" ü"', { string: '\u0000 " ü' }],
    ['"string":null', {}],
    ['"bytes":"/+8="', { bytes: '/+8=' }],
    ['"date":"2024-02-29"', { date: '2024-02-29' }],
    ['"time":"10:00:00.5"', { time: '10:00:00.500000' }],
    ['"datetime":"2024-02-29T10:00:00"', { datetime: '2024-02-29T10:00:00' }],
    ['"json":{"a":[1,2.50,null]}', { json: '{"a":[1,2.5,null]}' }],
    ['"list":[1,9007199254740993]', { list: ['1', '9007199254740993'] }],
    ['"timestamp":"2024-01-01T01:00:00.123456+01:00"', { timestamp: '2024-01-01T00:00:00.123456Z' }],
    [
      '"metadata":[{"STATUSCODE":200,"seenAt":1700000000000000},{}]',
      { Metadata: [{ statusCode: '200', seenAt: '2023-11-14T22:13:20Z' }, {}] },
    ],
  ])('%s', (member, expected) => {
    expect(converted(member)).toEqual({ ...others, ...expected });
  });

  test('also of the types that only BigQuery has', () => {
    const columns = ['BIGNUMERIC', 'INTERVAL', 'GEOGRAPHY'].map((type) => ({
      name: type.toLowerCase(),
      type,
    }));
    const onlyThere = parsed(columns);
    const values =
      '"bignumeric":0.00000000000000000000000000000000000001,"interval":"1-2 3 4:5:6","geography":"POINT(1 2)"';
    expect(JSON.parse(rowsToInsert(onlyThere)(whole(onlyThere, `{${values}}`))[0]?.json ?? '')).toEqual({
      bignumeric: '0.00000000000000000000000000000000000001',
      interval: '1-2 3 4:5:6',
      geography: 'POINT(1 2)',
    });
  });
});

test('a column may have the name of a property of all objects', () => {
  const names = ['__proto__', 'constructor'];
  const odd = parsed(names.map((name) => ({ name, type: 'STRING' })));
  const [row] = rowsToInsert(odd)(whole(odd, '{"__proto__":"a"}'));
  expect(row?.json).toBe('{"__proto__":"a"}');
});

test('a row has the day of its timestamp in UTC, if it has one', () => {
  const days = (of: Source, text: string) => rowsToInsert(of)(whole(of, text)).map(({ day }) => day);
  expect(days(source, '{"id":"a","timestamp":"2026-02-01T00:30:00+01:00"}')).toEqual(['20260131']);
  expect(days(parsed([{ name: 'text', type: 'STRING' }]), '{"text":"a"}')).toEqual([undefined]);
});

describe('an insert id', () => {
  const idsOf = (of: Source, ...texts: readonly string[]) =>
    rowsToInsert(of)(whole(of, ...texts)).map(({ insertId }) => insertId);
  const withId = (id: string) => `{"id":${JSON.stringify(id)},"timestamp":0}`;

  test('is the id of the row', () => {
    expect(idsOf(source, withId('x'), withId('y'.repeat(128)))).toEqual(['x', 'y'.repeat(128)]);
  });

  test('is a digest of an id that BigQuery does not accept', () => {
    const [long, same, other, empty] = idsOf(
      source,
      withId('y'.repeat(129)),
      withId('y'.repeat(129)),
      withId('y'.repeat(130)),
      withId(''),
    );
    expect(long).toMatch(/^[0-9a-f]{64}$/);
    expect(same).toBe(long);
    expect(new Set([long, other, empty]).size).toBe(3);
  });
});

/** A source that only BigQuery can have. */
function parsed(columns: readonly object[]): Source {
  const made = parseSource('b', 'b.json', JSON.stringify(columns), { isStored: false });
  if (!('columns' in made)) throw new Error(JSON.stringify(made));
  return made;
}
