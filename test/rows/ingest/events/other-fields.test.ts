import { describe, expect, test } from 'vitest';
import { withNewFields } from '../../../../src/definitions/sources/added-fields.ts';
import { parseSource } from '../../../../src/definitions/sources/parse-source.ts';
import type { Source } from '../../../../src/definitions/sources/source.ts';
import { parseEvents } from '../../../../src/rows/ingest/events/parse-events.ts';
import { anyTime, arrival, flatRows, parse, reasons, rowOf } from './support.ts';

const [id, timestamp] = ['given', '2024-02-09T01:02:03Z'];

function sourceOf(settings: object, ...fields: object[]): Source {
  const needed = [
    { name: 'id', type: 'STRING' },
    { name: 'timestamp', type: 'TIMESTAMP' },
    { name: 'level', type: 'STRING' },
    { name: 'r', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'x', type: 'INT64' }] },
  ];
  const text = JSON.stringify({ ...settings, fields: [...needed, ...fields] });
  const parsed = parseSource('app', 'app.json', text);
  if (!('columns' in parsed)) throw new Error(JSON.stringify(parsed));
  return parsed;
}

/** The source with the fields that bodies add to it, one after the other. */
function grownBy(source: Source, ...bodies: unknown[]): Source {
  return bodies.reduce<Source>((before, body) => {
    const [grown = before] = withNewFields([before], parse(body, before).newFields);
    return grown;
  }, source);
}

/** What the column `other_fields` has of an event: in whole rows, and in flat ones if the event has a flat form. */
function others(event: object, source: Source): unknown {
  const [whole] = parse([{ id, timestamp, ...event }], source, { rows: 'whole' }).sources[0]?.parts ?? [];
  const row = whole !== undefined && 'text' in whole ? JSON.parse(whole.text) : undefined;
  const flat = rowOf({ id, timestamp, ...event }, source);
  if (flat.id !== undefined) expect(flat.other_fields).toBe(row.other_fields);
  return row.other_fields === undefined ? undefined : JSON.parse(row.other_fields);
}

describe('members that have the name of the column in several letter cases', () => {
  const events = [
    { id, timestamp, Other_Fields: 'x', other_fields: { a: 1 } },
    { id: 'b', timestamp, other_fields: { b: 2 } },
    { id: 'c', timestamp, OTHER_FIELDS: 3 },
  ];
  const columnOf = (source: Source, rows: 'flat' | 'whole') =>
    rows === 'flat'
      ? flatRows(parse(events, source), source).map((row) => row.other_fields)
      : parse(events, source, { rows }).sources[0]?.parts.flatMap((batch) =>
          'text' in batch ? batch.text.split('\n').map((line) => JSON.parse(line).other_fields) : [],
        );

  test.each(['flat', 'whole'] as const)('are all in the column, each in the row of its event: %s', (rows) => {
    for (const settings of [
      { unknownFields: 'json', conflicts: 'json' },
      { unknownFields: 'add' },
      { unknownFields: 'ignore', conflicts: 'json' },
    ])
      expect(columnOf(grownBy(sourceOf(settings), events), rows)).toEqual([
        '{"Other_Fields":"x","other_fields":{"a":1}}',
        '{"b":2}',
        '3',
      ]);
  });

  test('are rejected where conflicts are', () => {
    expect(reasons(parse(events, sourceOf({ unknownFields: 'json' })))).toEqual([
      'event 1: type: Other_Fields: the field occurs twice',
    ]);
  });
});

describe('unknownFields: json', () => {
  const source = sourceOf({ unknownFields: 'json' });

  test('puts all that the source does not declare into one column', () => {
    const unknown = { '@version': '1', a: { 'b.c': [[1, null], 'x'] }, n: null, big: 1.5, '': 0 };
    expect(others({ level: 'info', ...unknown }, source)).toEqual(unknown);
    expect(others({ level: 'info' }, source)).toBeUndefined();
    expect(parse([unknown, { ...unknown, a: 1 }], source)).toMatchObject({
      newFields: [],
      conflicts: [],
      rejectedCount: 0,
    });
  });

  test('keeps digits, and members of records where they are', () => {
    const [whole] =
      parse('{"id":"a","n":12345678901234567}', source, { rows: 'whole' }).sources[0]?.parts ?? [];
    expect(JSON.stringify(whole)).toContain('12345678901234567');
    expect(others({ r: { x: 1, y: 2 } }, source)).toEqual({ r: { y: 2 } });
    expect(others({ r: [{ x: 1, y: 2 }] }, source)).toEqual({ r: { y: 2 } });
    expect(others({ r: [{ x: 1 }, { y: 2 }, { y: { z: 3 } }] }, source)).toEqual({
      r: { 1: { y: 2 }, 2: { y: { z: 3 } } },
    });
  });

  test('keeps a member of the column’s own name', () => {
    expect(others({ other_fields: { a: 1 } }, source)).toEqual({ a: 1 });
    expect(others({ OTHER_FIELDS: 'x' }, source)).toEqual('x');
    expect(others({ other_fields: { a: 1 }, b: 2 }, source)).toEqual({ b: 2, other_fields: { a: 1 } });
    expect(others({ other_fields: null }, source)).toBeUndefined();
  });

  test('rejects values of other types, as any source, unless it says otherwise', () => {
    expect(reasons(parse([{ level: 5 }], source))).toEqual(['event 1: type: level: expected STRING, got 5']);
    const lenient = sourceOf({ unknownFields: 'json', conflicts: 'json' });
    expect(others({ r: [{ x: 1 }, { x: 'a' }] }, lenient)).toEqual({ r: { 1: { x: 'a' } } });
    expect(others({ level: 5, r: { x: 'a' }, b: 1 }, lenient)).toEqual({ level: 5, r: { x: 'a' }, b: 1 });
  });

  test('is for GraphQL, SQL and BigQuery a column like any other, which the file may declare', () => {
    expect(source.columns.at(-1)).toMatchObject({ name: 'other_fields', type: { kind: 'JSON' } });
    const declared = sourceOf({ unknownFields: 'json' }, { name: 'Other_Fields', type: 'JSON' });
    expect(declared.columns.map(({ name }) => name).filter((name) => /other/i.test(name))).toEqual([
      'Other_Fields',
    ]);
    expect(() => sourceOf({ unknownFields: 'json' }, { name: 'other_fields', type: 'STRING' })).toThrow(
      'the column other_fields must be a single JSON',
    );
  });
});

describe('conflicts', () => {
  const source = sourceOf({ unknownFields: 'add' });
  const known = grownBy(
    source,
    [{ status: 'n/a', list: [1], o: { p: 1 }, other_fields: {} }],
    [{ list: [[1]], status: 1 }],
  );

  test.each<[object, object]>([
    [{ status: 200 }, { status: 200 }],
    [{ status: { a: 1 } }, { status: { a: 1 } }],
    [{ list: [1, null] }, { list: [1, null] }],
    [{ list: [[1]] }, { list: [[1]] }],
    [{ list: 'x' }, { list: 'x' }],
    [{ o: { p: 'x', q: undefined } }, { o: { p: 'x' } }],
    [{ o: 'x' }, { o: 'x' }],
    [{ o: [{ p: 1 }, 'x'] }, { o: [{ p: 1 }, 'x'] }],
    [{ status: 'ok', STATUS: 'again' }, { STATUS: 'again' }],
  ])('of added fields are stored in the column, with a warning: %j', (event, expected) => {
    const parsed = parse([{ id, timestamp, ...event }], known);
    expect(reasons(parsed)).toEqual([]);
    expect(parsed.conflicts).toMatchObject([{ source: 'app', count: 1 }]);
    expect(parsed.newFields).toEqual([]);
    expect(others(event, known)).toEqual(expected);
  });

  test('of one event count once, and the first reason is named with its place', () => {
    const body = [{ o: [{ p: 1 }] }, { o: { p: 'x' }, status: 1 }, { status: 2 }];
    expect(parse(body, known).conflicts).toEqual([
      { source: 'app', count: 2, first: 'o.p: expected INT64, got "x"' },
    ]);
  });

  test('of fields that the source declares reject the event, unless it says otherwise', () => {
    expect(reasons(parse([{ level: 5 }], known))).toEqual(['event 1: type: level: expected STRING, got 5']);
    expect(reasons(parse([{ r: { x: 'a' } }], known))).toEqual([
      'event 1: type: r.x: expected INT64, got "a"',
    ]);
    const lenient = grownBy(sourceOf({ unknownFields: 'add', conflicts: 'json' }), [{ level: 1 }]);
    expect(others({ level: 5, r: { x: 'a' } }, lenient)).toEqual({ level: 5, r: { x: 'a' } });
    expect(reasons(parse([{ timestamp: 'x' }], lenient))).toEqual([
      'event 1: type: timestamp: expected TIMESTAMP, got "x"',
    ]);
  });

  test('are whole numbers that an added FLOAT64 would round: they may be ids', () => {
    const measured = grownBy(source, [{ n: 1.5, list: [1.5], other_fields: {} }]);
    expect(others({ n: 9007199254740992, list: [1e300, 2] }, measured)).toBeUndefined();
    const body = '{"id":"a","n":9007199254740993,"list":[9007199254740993]}';
    expect(flatRows(parse(body, measured), measured)).toMatchObject([
      { other_fields: '{"list":[9007199254740993],"n":9007199254740993}' },
    ]);
    expect(reasons(parse(body, { ...measured, conflicts: 'reject' }))).toEqual([
      'event 1: type: n: expected FLOAT64, got 9007199254740993',
    ]);
    const fixed = sourceOf({}, { name: 'n', type: 'FLOAT64' });
    expect(flatRows(parse('{"n":9007199254740993}', fixed), fixed)).toMatchObject([
      { n: '9007199254740992' },
    ]);
  });

  test('can reject the event, if the source says so', () => {
    const strict = { ...known, conflicts: 'reject' } as const;
    expect(reasons(parse([{ status: 200 }], strict))).toEqual([
      'event 1: type: status: expected STRING, got 200',
    ]);
  });

  test('between new fields of a body: the first value decides', () => {
    const body = [{ a: 'n/a' }, { a: 200, b: 1 }, { a: [1] }];
    const grown = grownBy(source, body);
    expect(parse(body, grown)).toMatchObject({ newFields: [], rejectedCount: 0, conflicts: [{ count: 2 }] });
    expect(others({ a: 200 }, grown)).toEqual({ a: 200 });
  });

  test('that JSON can’t have either reject the event', () => {
    expect(reasons(parse('{"status":["\\ud800"]}', known))).toHaveLength(1);
    expect(reasons(parse('{"status":{"\\ud800":1}}', known))).toHaveLength(1);
  });
});

describe('lists that no type of BigQuery has are JSON', () => {
  const source = sourceOf({ unknownFields: 'add' });
  test.each([
    [[[1, 2], [3]]],
    [[[]]],
    [[1, 'a']],
    [[1, null]],
    [[{ a: 1 }, '']],
    [[{ a: 1 }, null]],
    [[{}, 1]],
    [[{ a: 1 }, { a: 'x' }]],
    [[true, 1.5]],
  ])('%j', (list) => {
    const body = [{ id, timestamp, list }];
    expect(parse(body, source).newFields).toMatchObject([{ fields: [{ name: 'list', type: 'JSON' }] }]);
    const grown = grownBy(source, body);
    expect(JSON.parse(rowOf(body[0], grown).list ?? '')).toEqual(list);
    // Such a field takes any value.
    expect(parse([{ list: 'text' }, { list: { a: 1 } }, { list: [1] }], grown)).toMatchObject({
      newFields: [],
      conflicts: [],
      rejectedCount: 0,
    });
  });
});

describe('a body adds not more than a limit', () => {
  const limits = { ...anyTime, maxNewFields: 3 };
  const event = { a: 1, b: { c: 1 }, d: 1, e: 1 };
  const parsed = (source: Source, addedFields = 0) => {
    const request = {
      format: 'json',
      source: 'app',
      receivedAt: arrival,
      partial: false,
      addedFields,
    } as const;
    return parseEvents(Buffer.from(JSON.stringify(event)), request, [source], limits);
  };

  test('of fields, and others are in the column', () => {
    const source = sourceOf({ unknownFields: 'add' });
    const { newFields, rejectedCount } = parsed(source);
    expect(rejectedCount).toBe(0);
    expect(newFields).toMatchObject([{ fields: [{ name: 'a' }, { name: 'b' }, { name: 'other_fields' }] }]);
    const [grown = source] = withNewFields([source], newFields);
    const again = parsed(grown, 4);
    expect(again).toMatchObject({ newFields: [], rejectedCount: 0, sources: [{ count: 1 }] });
    expect(again.conflicts[0]?.first).toBe('d: a new field beyond the limit of 3 new fields of a body');
  });

  test('and is rejected if the source says so', () => {
    const strict = sourceOf({ unknownFields: 'add', conflicts: 'reject' });
    expect(reasons(parsed(strict))).toEqual([
      'event 1: limit: d: a new field beyond the limit of 3 new fields of a body',
    ]);
  });
});
