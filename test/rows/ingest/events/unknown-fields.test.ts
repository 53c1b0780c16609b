import { describe, expect, test } from 'vitest';
import type { SourceSettings } from '../../../../src/definitions/sources/source.ts';
import { parseEvents } from '../../../../src/rows/ingest/events/parse-events.ts';
import { anyTime, appSource, arrival, flatRows, parse, reasons, rowOf } from './support.ts';

const [id, timestamp] = ['given', '2024-02-09T01:02:03Z'];
const withFields = (unknownFields: NonNullable<SourceSettings['unknownFields']>) =>
  appSource({ unknownFields, conflicts: 'reject' });

test('rejected, they are named with their place', () => {
  const body = [{ other: 1 }, { metadata: { headers: [{ port: 1 }] } }, { metadata: { other: null } }];
  expect(reasons(parse(body))).toEqual([
    'event 1: unknown-field: other: unknown field',
    'event 2: unknown-field: metadata.headers[0].port: unknown field',
    'event 3: unknown-field: metadata.other: unknown field',
  ]);
});

test('ignored, they are left out, wherever they are', () => {
  const source = withFields('ignore');
  const event = {
    id,
    timestamp,
    other: { a: [[]] },
    metadata: { status: 1, other: 1, headers: { port: 1, host: 'h' } },
  };
  const without = { id, timestamp, metadata: { status: 1, headers: { host: 'h' } } };
  expect(rowOf(event, source)).toEqual(rowOf(without, source));
});

describe('added', () => {
  const source = withFields('add');
  const added = (body: unknown, of = source) => {
    const parsed = parse(body, of);
    expect(reasons(parsed)).toEqual([]);
    if (parsed.newFields.length > 0) expect(parsed.sources).toEqual([]);
    return parsed.newFields.flatMap(({ fields }) => fields);
  };
  const [nullable, repeated] = [{ mode: 'NULLABLE' }, { mode: 'REPEATED' }];

  test('a field that is renamed out of a new record is not in it', () => {
    const renaming = { ...source, rename: [{ from: 'labels.a.b/c', to: 'metadata.level' }] };
    expect(added([{ labels: { 'a.b/c': 'x' } }], renaming)).toEqual([]);
    const more = [{ labels: { 'a.b/c': 'x', other: 1 } }];
    expect(added(more, renaming)).toMatchObject([{ name: 'labels', fields: [{ name: 'other' }] }]);
  });

  test('a number beyond FLOAT64 adds no field', () => {
    const parsed = parse('[{"big": 1e400}]', source, { partial: true });
    expect(reasons(parsed)).toEqual(['event 1: type: big: expected FLOAT64, got 1e400']);
    expect(parsed.newFields).toEqual([]);
  });

  test('an event that is rejected takes no name', () => {
    const events = [{ 'log.level': 1, project: 2 }, { log_level: 1 }];
    expect(parse(events, source, { partial: true })).toMatchObject({
      rejectedCount: 1,
      newFields: [{ fields: [{ name: 'log_level' }] }],
    });
  });

  test('they have the types of their values', () => {
    const event = {
      ...{ text: 'a', empty: '', whole: 1, fraction: 1.5, flag: false },
      ...{ texts: ['a', 'b'], numbers: [1, 2.5], flags: [true], time: 1_700_000_000 },
      ...{ record: { a: 1, b: { c: 'x' } }, records: [{ a: 1 }, { a: 1.5, b: true }] },
    };
    const record = (...fields: object[]) => ({ type: 'RECORD', ...repeated, fields });
    expect(added([event])).toEqual([
      { name: 'text', type: 'STRING', ...nullable },
      { name: 'empty', type: 'STRING', ...nullable },
      { name: 'whole', type: 'INT64', ...nullable },
      { name: 'fraction', type: 'FLOAT64', ...nullable },
      { name: 'flag', type: 'BOOL', ...nullable },
      { name: 'texts', type: 'STRING', ...repeated },
      { name: 'numbers', type: 'FLOAT64', ...repeated },
      { name: 'flags', type: 'BOOL', ...repeated },
      {
        name: 'record',
        ...record(
          { name: 'a', type: 'INT64', ...nullable },
          { name: 'b', ...record({ name: 'c', type: 'STRING', ...nullable }) },
        ),
      },
      {
        name: 'records',
        ...record({ name: 'a', type: 'FLOAT64', ...nullable }, { name: 'b', type: 'BOOL', ...nullable }),
      },
    ]);
  });

  test('a number is whole or not by how it is written', () => {
    expect(added('{"a":1.0,"b":1e3,"c":9223372036854775807}')).toMatchObject([
      { type: 'FLOAT64' },
      { type: 'FLOAT64' },
      { type: 'INT64' },
    ]);
  });

  test('values that say nothing add nothing, and their events are stored', () => {
    const nothing = { a: null, b: [], c: {}, d: { e: [null, {}] }, metadata: { f: [[]].slice(1) } };
    expect(added([{ id, timestamp, ...nothing }])).toEqual([]);
    expect(rowOf({ id, timestamp, ...nothing }, source)).toEqual(
      rowOf({ id, timestamp, metadata: {} }, source),
    );
  });

  test('those within a record of the source come in this record, once for all events', () => {
    const body = [
      { metadata: { port: 1, headers: [{ via: 'x' }] } },
      { metadata: [{ headers: { VIA: 'y', age: 1 } }, { port: 2, Port2: 1 }] },
    ];
    expect(added(body)).toEqual([
      {
        ...{ name: 'metadata', type: 'RECORD', ...repeated },
        fields: [
          {
            ...{ name: 'headers', type: 'RECORD', ...repeated },
            fields: [
              { name: 'via', type: 'STRING', ...nullable },
              { name: 'age', type: 'INT64', ...nullable },
            ],
          },
          { name: 'port', type: 'INT64', ...nullable },
          { name: 'Port2', type: 'INT64', ...nullable },
        ].sort((a, b) => Number(a.name === 'headers') - Number(b.name === 'headers')),
      },
    ]);
  });

  test('the first value decides, but fractions make whole numbers FLOAT64', () => {
    const events = [
      { a: 'x', b: 1, c: [1] },
      { b: 1.5, c: [2], d: { e: 1 } },
      { a: 1, f: 1 },
      { c: 1, f: 1 },
      { d: { e: 'x' }, f: 1 },
    ];
    const parsed = parse(events, source, { partial: true });
    expect(reasons(parsed)).toEqual([
      'event 3: type: a: expected STRING as before it, got INT64',
      'event 4: type: c: expected an array of INT64 as before it, got INT64',
      'event 5: type: d.e: expected INT64 as before it, got STRING',
    ]);
    expect(parsed.newFields).toEqual([
      {
        source: 'app',
        fields: [
          { name: 'a', type: 'STRING', ...nullable },
          { name: 'b', type: 'FLOAT64', ...nullable },
          { name: 'c', type: 'INT64', ...repeated },
          { name: 'd', type: 'RECORD', ...repeated, fields: [{ name: 'e', type: 'INT64', ...nullable }] },
        ],
      },
    ]);
  });

  const half = String.fromCharCode(0xd800);
  test.each([
    ['whose elements contradict each other in a record of the source', { metadata: [{ n: 1 }, { n: 'x' }] }],
    ['with half of a character', { text: half }],
    ['with half of a character in a list', { r: { texts: ['a', half] } }],
    ['with a field in two letter cases', { port: 1, Port: 2 }],
  ])('an event %s adds none, and another one decides', (_, event) => {
    const both = [
      { ...event, other: 1 },
      { r: { a: 'x' }, text: 1, port: 'x', metadata: { n: 'x' } },
    ];
    const parsed = parse(both, source, { partial: true });
    expect(parsed.rejected.map(({ index }) => index)).toEqual([1]);
    const names = parsed.newFields.flatMap(({ fields }) => fields.map(({ name }) => name));
    expect(names).not.toContain('other');
    expect(names).toContain('text');
    expect(parse([event], source)).toMatchObject({ newFields: [], sources: [], rejectedCount: 1 });
    expect(parse([{ fine: 1 }, event], source)).toMatchObject({
      newFields: [],
      sources: [],
      rejectedCount: 1,
    });
  });

  test('an event that fits only without the fields of another adds none', () => {
    // Where the source has no column `message`, it is the event's message, whatever it is.
    const events = [
      { message: { a: 1 }, x: 1 },
      { event_message: 'b', message: 'c', y: 1 },
    ];
    const parsed = parse(events, source, { partial: true });
    expect(reasons(parsed)).toEqual(['event 1: type: message: expected STRING, got an object']);
    expect(parsed.newFields[0]?.fields.map(({ name }) => name)).toEqual(['message', 'y']);
    expect(parse(events, source)).toMatchObject({ newFields: [], rejectedCount: 1 });
  });

  test('the message is a field too', () => {
    const { columns, ...rest } = source;
    const bare = { ...rest, columns: columns.slice(0, 2) };
    expect(added([{ message: 'a' }], bare)).toEqual([{ name: 'event_message', type: 'STRING', ...nullable }]);
  });

  test('an event that is rejected adds none', () => {
    const parsed = parse([{ a: 1, project: 2 }, { b: 1 }], source, { partial: true });
    expect(parsed.newFields).toMatchObject([{ fields: [{ name: 'b' }] }]);
    expect(parse([{ a: 1 }, { project: 2 }], source)).toMatchObject({ newFields: [], rejectedCount: 1 });
  });

  const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });
  test.each([
    [{ a: { b: 1, B: 2 } }, 'type: a.B: the field occurs twice'],
    [deep(17), `limit: ${'a.'.repeat(15)}a: records are nested more than 15 levels deep`],
  ])('what no field can be rejects its event: %j', (event, reason) => {
    expect(reasons(parse([event], source))).toEqual([`event 1: ${reason}`]);
  });

  test('15 levels are allowed', () => {
    expect(added([deep(16)])).toHaveLength(1);
  });

  test('a number beyond INT64 rejects its event', () => {
    expect(reasons(parse('[{"a":9223372036854775808}]', source))).toEqual([
      'event 1: type: a: expected INT64, got 9223372036854775808',
    ]);
  });

  test('not more than a source can have', () => {
    const [bytes, limits] = [
      Buffer.from('{"a":1,"b":{"c":1}}\n{"a":1,"d":1}\n{"a":2,"b":{"c":2}}\n{"id":"x"}'),
      { ...anyTime, maxBodyBytes: 1000, maxEvents: 10, maxRejected: 10, maxFields: 14 },
    ];
    const request = { format: 'json', source: 'app', receivedAt: arrival, partial: true } as const;
    const parsed = parseEvents(bytes, request, [source], limits);
    expect(reasons(parsed)).toEqual(['line 2: limit: d: a new field beyond the limit of 14 fields']);
    expect(parsed.newFields).toMatchObject([{ fields: [{ name: 'a' }, { name: 'b' }] }]);
  });

  test('a known field keeps its type', () => {
    expect(reasons(parse([{ metadata: { status: 'x' } }], source))).toEqual([
      'event 1: type: metadata.status: expected INT64, got "x"',
    ]);
    expect(flatRows(parse([{ id, timestamp, metadata: { STATUS: 5 } }], source), source)[0]).toMatchObject({
      'metadata.status': '5',
    });
  });
});
