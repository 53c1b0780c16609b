import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../../../src/console/api/json.ts';
import { lqlTerm, withTerm } from '../../../../src/console/pages/live/lql-term.ts';
import { compileLqlFilter } from '../../../../src/sql/lql/compile/compile-filter.ts';
import { type Column, formatType, type SqlType } from '../../../../src/sql/values/type.ts';

const list = (element: Exclude<SqlType, { kind: 'ARRAY' }>): SqlType => ({ kind: 'ARRAY', element });
const string: SqlType = { kind: 'STRING' };

const columns: readonly Column[] = [
  { name: 'id', type: string },
  { name: 'timestamp', type: { kind: 'TIMESTAMP' } },
  { name: 'event_message', type: string },
  { name: 'extra', type: { kind: 'JSON' } },
  {
    name: 'metadata',
    type: list({
      kind: 'STRUCT',
      fields: [
        { name: 'level', type: string },
        { name: 'ids', type: list({ kind: 'INT64' }) },
        {
          name: 'response',
          type: list({
            kind: 'STRUCT',
            fields: [
              { name: 'status_code', type: { kind: 'INT64' } },
              { name: 'time', type: { kind: 'FLOAT64' } },
              { name: 'raw', type: { kind: 'BYTES' } },
              { name: 'ok', type: { kind: 'BOOL' } },
            ],
          }),
        },
      ],
    }),
  },
];

const described = columns.map(({ name, type }) => ({ name, type: formatType(type), description: '' }));
const term = (path: readonly (string | number)[], value: Json) => lqlTerm(path, value, described);
const response = ['metadata', 0, 'response', 1];

test.each<[readonly (string | number)[], Json, string | undefined]>([
  [['id'], 'abc_1', 'id:abc_1'],
  [['id'], 'NULL', 'id:"NULL"'],
  [['id'], null, 'id:NULL'],
  [['id'], '', 'id:""'],
  [['event_message'], 'say "a\\b"', 'event_message:"say \\"a\\\\b\\""'],
  [['event_message'], '2026-01-01', 'event_message:"2026-01-01"'],
  [['metadata', 0, 'level'], 'error', 'm.level:error'],
  [[...response, 'status_code'], 404, 'm.response.status_code:404'],
  [[...response, 'time'], -1.5, 'm.response.time:"-1.5"'],
  [[...response, 'ok'], false, 'm.response.ok:false'],
  [['metadata', 0, 'ids', 2], 42, 'm.ids:@>42'],
  // What LQL can't express, or no field can show.
  [['timestamp'], '2026-01-01T00:00:00Z', undefined],
  [['extra'], 'a', undefined],
  [['extra', 'a'], 'a', undefined],
  [[...response, 'raw'], 'YQ==', undefined],
  [['metadata'], [], undefined],
  [['unknown'], 'a', undefined],
  [['__proto__'], 'a', undefined],
  [['id'], 'two\nlines', undefined],
  [['id'], 'a'.repeat(300), undefined],
])('%j with the value %j: %s', (path, value, expected) => {
  expect(term(path, value)).toBe(expected);
  if (expected !== undefined) {
    expect(compileLqlFilter(`-${expected}`, { name: 'logs', columns })).toContain('logs');
  }
});

const unit = fc.constantFrom(...'aN0.,:;"\\\'`()-~@><* é😀\n\t\u0000\u202e\ud800');

test('every term compiles, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
      const filter = term(['id'], text);
      if (filter !== undefined) compileLqlFilter(withTerm('a', filter), { name: 'logs', columns });
    }),
  );
});

test('a term is added once', () => {
  expect(withTerm(' ', 'id:a')).toBe('id:a');
  expect(withTerm('error ', 'id:a')).toBe('error id:a');
  expect(withTerm('error id:a', 'id:a')).toBe('error id:a');
});
