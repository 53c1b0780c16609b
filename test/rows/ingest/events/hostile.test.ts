import { expect, test } from 'vitest';
import { appSource, parse, reasons, rowOf } from './support.ts';

const timestamp = '2024-02-09T01:02:03Z';
const sources = (['reject', 'ignore', 'add'] as const).map((unknownFields) => appSource({ unknownFields }));

test('numbers beyond INT64 are named with their digits', () => {
  expect(
    reasons(parse('{"metadata":{"status":9223372036854775808}}\n{"metadata":{"status":1e400}}')),
  ).toEqual([
    'line 1: type: metadata.status: expected INT64, got 9223372036854775808',
    'line 2: type: metadata.status: expected INT64, got Infinity',
  ]);
  expect(rowOf('{"id":1,"metadata":{"status":9223372036854775807}}')['metadata.status']).toBe(
    '9223372036854775807',
  );
  expect(rowOf('{"id":12345678901234567890}').id).toBe('12345678901234567890');
  expect(rowOf('[{"id":9007199254740993}]').id).toBe('9007199254740993');
});

test('of a key that occurs twice, the last counts, as everywhere in JSON; names that differ in letter case are refused', () => {
  expect(rowOf('{"project":"a","project":"b"}').project).toBe('b');
  expect(reasons(parse('{"project":"a","Project":"b"}'))).toEqual(
    ['line 1: type: Project: the field occurs twice'].map((reason) => reason.replace('line', 'event')),
  );
});

test('of a long name, reasons have the beginning', () => {
  const name = 'n'.repeat(10_000);
  const [reason = ''] = reasons(parse({ metadata: { [name]: 1 } }, sources[0]));
  expect(reason).toContain(`metadata.${'n'.repeat(300)}…: `);
  expect(reason.length).toBeLessThan(400);
});

test('half of a surrogate pair is refused, also in an id', () => {
  const body =
    '[{"message":"\\ud83d"},{"id":"\\ude00"},{"metadata":{"tags":["a","\\ud83d"]}},{"message":"\\ud83d\\ude00"}]';
  expect(reasons(parse(body))).toEqual([
    'event 1: type: event_message: not valid Unicode (half of a surrogate pair)',
    'event 2: type: id: not valid Unicode (half of a surrogate pair)',
    'event 3: type: metadata.tags[1]: not valid Unicode (half of a surrogate pair)',
  ]);
});

test('NUL and the separators of columns are kept', () => {
  const message = '\0 \u001a \u001f';
  const [rows] = parse([{ id: 'a', timestamp, message }]).sources[0]?.parts ?? [];
  expect(rows).toMatchObject({ rows: 1 });
  const [text] = rows !== undefined && 'text' in rows ? rows.text.split('\n') : [];
  expect(JSON.parse(text ?? '')).toMatchObject({ event_message: message });
});

test('keys that objects have by themselves are fields like others', () => {
  const body =
    '[{"__proto__":{"id":"x"},"constructor":1,"hasOwnProperty":2,"metadata":{"__proto__":1,"toString":1}}]';
  expect(reasons(parse(body))).toEqual(['event 1: unknown-field: __proto__: unknown field']);
  expect(rowOf(body, sources[1]).project).toBeUndefined();
  expect(parse(body, sources[2]).newFields[0]?.fields.map(({ name }) => name)).toEqual([
    ...['__proto__', 'constructor', 'hasOwnProperty', 'metadata'],
  ]);
});
