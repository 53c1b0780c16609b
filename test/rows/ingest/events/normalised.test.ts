import { describe, expect, test } from 'vitest';
import { appSource, arrival, flatRows, parse, reasons, rowOf } from './support.ts';

const timestamp = '2024-02-09T01:02:03Z';
const id = 'given';

describe('timestamp', () => {
  test.each(['timestamp', 'time', '@timestamp', 'Timestamp'])('is read from %s', (name) => {
    const parsed = parse([{ id, [name]: 1_707_440_523 }]);
    expect(flatRows(parsed)).toEqual([{ id, timestamp: '2024-02-09T01:02:03', 'metadata.': 'false' }]);
    expect(parsed.sources[0]).toMatchObject({
      minTimestamp: 1_707_440_523_000_000n,
      maxTimestamp: 1_707_440_523_000_000n,
      ranges: [{ from: 1_707_440_523_000_000n, to: 1_707_440_523_000_000n }],
    });
  });

  test('is the first of them', () => {
    const source = appSource({ unknownFields: 'ignore' });
    expect(rowOf({ id, time: 1_700_000_000, timestamp }, source).timestamp).toBe(timestamp);
  });

  test('is the time of arrival if there is none, or null', () => {
    const parsed = parse([{ id }, { id, timestamp: null }, { id, timestamp }]);
    expect(flatRows(parsed).map((row) => row.timestamp)).toEqual([
      '2023-11-14T22:13:20',
      '2023-11-14T22:13:20',
      timestamp,
    ]);
    expect(parsed.sources[0]).toMatchObject({
      minTimestamp: arrival,
      maxTimestamp: 1_707_440_523_000_000n,
    });
    // If it is sent again, it may have come ten minutes before.
    expect(parsed.sources[0]?.ranges[0]).toEqual({ from: arrival - 600_000_000n, to: arrival });
  });

  test('is read from the paths of the source', () => {
    const source = appSource({ timestamp: ['metadata.at', 'metadata.headers.host'] });
    expect(rowOf({ id, timestamp: 'x', metadata: { at: timestamp } }, source)).toEqual({
      ...{ id, timestamp, 'metadata.': 'true' },
      ...{ 'metadata.tags': '[]', 'metadata.at': timestamp, 'metadata.headers.': 'false' },
    });
    expect(rowOf({ id, metadata: [{ headers: { host: timestamp } }] }, source).timestamp).toBe(timestamp);
    expect(rowOf({ id, timestamp, metadata: {} }, source).timestamp).toBe(timestamp);
  });

  test.each(['0000-01-01T00:00:00Z', '10000-01-01T00:00:00Z', 'yesterday', 42])(
    '%j rejects its event',
    (time) => {
      expect(reasons(parse([{ id, time }]))).toEqual([
        `event 1: type: time: expected TIMESTAMP, got ${JSON.stringify(time)}`,
      ]);
    },
  );
});

describe('event_message', () => {
  test.each([
    [{ event_message: 'a' }, 'a'],
    [{ message: 'a' }, 'a'],
    [{ msg: 'a' }, 'a'],
    [{ event_message: null, message: 'a' }, 'a'],
    [{ event_message: 'a', message: 'a' }, 'a'],
    [{ message: { a: [1, 1.5, 'x'] } }, '{"a":[1,1.5,"x"]}'],
    [{ other: null, message: '' }, ''],
    [{}, undefined],
  ])('of %o is %j', (event, message) => {
    const source = appSource({ unknownFields: 'ignore' });
    expect(rowOf([{ id, timestamp, ...event }], source).event_message).toBe(message);
  });

  test('keeps the digits of numbers', () => {
    expect(rowOf('{"message": [12345678901234567890, 1.0]}').event_message).toBe(
      '[12345678901234567890,1.0]',
    );
  });

  test('beside another message is kept, and the other is an unknown field', () => {
    expect(reasons(parse([{ event_message: 'a', message: 'b' }]))).toEqual([
      'event 1: unknown-field: message: unknown field',
    ]);
  });
});

describe('renamed fields', () => {
  const rename = [
    { from: 'env', to: 'project' },
    { from: 'http.status', to: 'metadata.status' },
    { from: 'metadata.log.level', to: 'metadata.level' },
  ];
  const source = appSource({ rename, unknownFields: 'ignore' });
  const of = (event: object) => {
    const row = rowOf({ id, timestamp, ...event }, source);
    return [row.project, row['metadata.status'], row['metadata.level']];
  };

  test('move between records, and names with dots go first', () => {
    expect(of({ env: 'p', 'http.status': 1, metadata: { log: { level: 'x' } } })).toEqual(['p', '1', 'x']);
    expect(of({ http: { status: 1 }, metadata: [{ 'log.level': 'x' }] })).toEqual([undefined, '1', 'x']);
    expect(of({ metadata: { status: 2 } })).toEqual([undefined, '2', undefined]);
  });

  test('must not replace another field', () => {
    expect(
      reasons(
        parse(
          [
            { env: 'p', project: 'q' },
            { http: { status: 1 }, metadata: { status: 2 } },
          ],
          source,
        ),
      ),
    ).toEqual([
      'event 1: type: project: the field is there, and another one is renamed to it',
      'event 2: type: metadata.status: the field is there, and another one is renamed to it',
    ]);
  });
});

test('an object is a list of one record where the source has a list of records', () => {
  const [one, list] = [{ status: 1, headers: { host: 'h' } }, [{ status: 1, headers: [{ host: 'h' }] }]];
  expect(rowOf({ id, timestamp, metadata: one })).toEqual(rowOf({ id, timestamp, metadata: list }));
});

test('rows with lists of several records are whole', () => {
  const parsed = parse([{ id, timestamp, metadata: [{ status: 1 }, { headers: { host: 'h' } }] }]);
  const text = `{".place":1,"id":"given","timestamp":"${timestamp}","metadata":[{"status":1,"tags":[],"headers":[]},{"headers":[{"host":"h"}],"tags":[]}]}`;
  expect(parsed.sources[0]?.parts).toEqual([{ rows: 1, ids: ['given'], text }]);
});

describe('a value of another type rejects its event, with its path, what is expected and what was given', () => {
  test.each([
    [{ metadata: { status: 'abc' } }, 'metadata.status: expected INT64, got "abc"'],
    [{ metadata: { status: 1.5 } }, 'metadata.status: expected INT64, got 1.5'],
    [{ metadata: [{}, { tags: ['a', 1] }] }, 'metadata[1].tags[1]: expected STRING, got 1'],
    [{ metadata: 'text' }, 'metadata: expected a record or an array of them, got "text"'],
    [{ project: { a: 1 } }, 'project: expected STRING, got an object'],
    [{ id: true }, 'id: expected a text or a number, got true'],
    [{ id: {} }, 'id: expected a text or a number, got an object'],
  ])('%j', (event, reason) => {
    expect(reasons(parse([{ timestamp, ...event }]))).toEqual([`event 1: type: ${reason}`]);
  });

  test('and the others are kept only if the request is partial', () => {
    const body = [{ id: 1 }, { id: 2, project: 3 }, { id: 4 }];
    expect(parse(body)).toMatchObject({ sources: [], rejectedCount: 1 });
    const partial = parse(body, appSource(), { partial: true });
    expect(partial).toMatchObject({
      sources: [{ source: 'app', count: 2 }],
      rejected: [{ source: 'app', unit: 'event', index: 2, cause: 'type', text: '{"id":2,"project":3}' }],
      rejectedCount: 1,
      rejectedBy: [{ source: 'app', cause: 'type', count: 1 }],
    });
    expect(partial.sources[0]?.parts).toMatchObject([{ rows: 2, places: '1\u001f2' }]);
  });
});

describe('other shapes of events', () => {
  const source = appSource({ unknownFields: 'ignore' });
  const rowIn = (shape: 'vector' | 'json', event: object) =>
    flatRows(parse([event], source, { shape }), source)[0];

  test('vector: all but the message and the time is metadata', () => {
    expect(rowIn('vector', { message: 'm', timestamp, status: 5, log: { level: 'warn' } })).toMatchObject({
      ...{ event_message: 'm', timestamp, 'metadata.status': '5', 'metadata.level': 'warn' },
    });
  });

  test('json: everything is metadata, and the message is the event', () => {
    expect(rowIn('json', { status: 5, level: 'warn', time: timestamp })).toMatchObject({
      event_message: `{"status":5,"level":"warn","time":"${timestamp}"}`,
      ...{ timestamp, 'metadata.status': '5', 'metadata.level': 'warn' },
    });
  });
});
