import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { parseEvents } from '../../../../src/rows/ingest/events/parse-events.ts';
import { anyTime, appSource, arrival, flatRows, parse, reasons } from './support.ts';

const event = (message: string) => ({ message, timestamp: '2024-02-09T01:02:03Z', metadata: { status: 1 } });
const [a, b] = [event('a'), event('b')];
const messages = (body: unknown) => flatRows(parse(body)).map((row) => row.event_message);

describe('the form of a body is told by its content', () => {
  const long = '12345678901234567890';
  const forms: readonly (readonly [form: string, body: string, expected: readonly string[]])[] = [
    ['one object', JSON.stringify(a), ['a']],
    ['one object over several lines', JSON.stringify(a, null, 2), ['a']],
    ['an array', JSON.stringify([a, b]), ['a', 'b']],
    ['an array over several lines', JSON.stringify([a, b], null, 2), ['a', 'b']],
    ['an array with long numbers', `[{"message":"${long}"},{"message":"b"}]`, [long, 'b']],
    ['an empty array', ' [ ] ', []],
    ['a batch', JSON.stringify({ batch: [a, b] }), ['a', 'b']],
    ['a batch beside the name of its source', JSON.stringify({ source: 'x', batch: [a, b] }), ['a', 'b']],
    ['a batch with long numbers', `{"source_name":"x","batch":[{"message":"${long}"}]}`, [long]],
    ['a batch of an object on a line of its own', `{"batch":[\n${JSON.stringify(a)}\n]}`, ['a']],
    ['an object with a record on a line of its own', '{"message":"a", "metadata":\n{"status": 1}\n}', ['a']],
    ['a batch over several lines', `{"batch":[${JSON.stringify(a)}\n,${JSON.stringify(b)}]}`, ['a', 'b']],
    ['a batch in other letters', `{"b\\u0061tch":[${JSON.stringify(a)}]}`, ['a']],
    ['an empty batch', '{"batch":[]}', []],
    ['NDJSON', `${JSON.stringify(a)}\n${JSON.stringify(b)}\n`, ['a', 'b']],
    ['NDJSON with CRLF', `${JSON.stringify(a)}\r\n${JSON.stringify(b)}`, ['a', 'b']],
    ['NDJSON with blank lines', `\n \n${JSON.stringify(a)}\n\n${JSON.stringify(b)}\n \n`, ['a', 'b']],
  ];

  test.each(forms)('%s, with and without a byte order mark', (_form, body, expected) => {
    expect(messages(body)).toEqual(expected);
    expect(messages(`\ufeff${body}`)).toEqual(expected);
  });

  test.each([
    '{"message": "lost", "batch": [{"message": "a"}]}',
    '{"batch": [], "message": "lost"}',
    '{"b\\u0061tch": [1], "message": "lost"}',
    `{"message": "lost", "batch": [{"message": "${long}"}]}`,
  ])('a batch beside other members is refused: it could be an event, and they would be lost: %s', (body) => {
    expect(() => parse(body)).toThrow('The body has "batch" and "message", so that it could be a batch or');
    expect(parse(`[${body}]`, { ...appSource(), unknownFields: 'ignore' })).toMatchObject({
      sources: [{ count: 1 }],
    });
  });

  test.each(['', '\ufeff', ' \r\n\t \n'])('a body with nothing is an error: %j', (body) => {
    expect(() => parse(body)).toThrow('The body is empty.');
  });
});

describe('broken JSON', () => {
  test('in the midst of NDJSON is named by its line; the other lines are kept if the request is partial', () => {
    const body = `${JSON.stringify(a)}\n\n{"message": "b",}\nnonsense\n${JSON.stringify(b)}`;
    const strict = parse(body);
    expect(reasons(strict)).toEqual([
      expect.stringMatching(/^line 3: json: not JSON: /),
      expect.stringMatching(/^line 4: json: not JSON: /),
    ]);
    expect(strict).toMatchObject({ sources: [], rejectedCount: 2 });
    expect(strict.rejected[1]?.text).toBe('nonsense');
    expect(reasons(strict).join()).not.toContain('line 1');
    expect(parse(body, appSource(), { partial: true }).sources[0]?.count).toBe(2);
  });

  test.each([
    '{"message": }',
    '{"message": "a"',
    '{"message": "a',
    '{"message": "a"}}',
    '{"message": "a"} and more',
    '{"message": ["a", "b"',
    '{"message": "a", "metadata": {"status": 1',
    '{"message": {"a": 1}, ',
    '{',
    '[2024-02-09] started',
    '[1]',
    'nonsense',
  ])('in the first of several lines is as in any other: %s', (line) => {
    const body = `${line}\r\n${JSON.stringify(a)}\n${JSON.stringify(b)}\n`;
    expect(reasons(parse(body))).toEqual([expect.stringMatching(/^line 1: (json|type): /)]);
    expect(parse(body, appSource(), { partial: true }).sources[0]?.count).toBe(2);
  });

  test('in the first lines is as in any others', () => {
    const body = `{"message": "a\n{"message": [\n{"metadata": {,\n${JSON.stringify(a)}\n${JSON.stringify(b)}`;
    expect(reasons(parse(body))).toEqual(
      [1, 2, 3].map((line) => expect.stringContaining(`line ${line}: json`)),
    );
  });

  test.each([
    ['[{"message":"a"},{"message":}]', 'The body is not JSON: event 2: '],
    ['[{"message":"a"},]', 'The body is not JSON: event 2: '],
    ['{"batch":[{"message":"a"},{]}', 'The body is not JSON: event '],
    ['[{"message":"a"}', 'The body is not JSON: it begins with [ and does not end with ]'],
    ['{"message":"a"', 'The body is not JSON: event 1: '],
    ['{\n"message":"a"\n"metadata": {}\n}', 'The body is not JSON: event 1: '],
  ])('in one text refuses all of it, with the place, even if the request is partial: %s', (body, message) => {
    expect(() => parse(body, appSource(), { partial: true })).toThrow(message);
  });

  test('that is not UTF-8 is named by its line, or refuses the one text', () => {
    const bytes = (text: string) => Buffer.from(text, 'latin1');
    expect(reasons(parse(bytes('{"message":"a"}\n{"message":"\xff"}')))).toEqual(['line 2: json: not UTF-8']);
    expect(() => parse(bytes('[{"message":"\xff"}]'))).toThrow('The body is not UTF-8.');
  });
});

test('events that are no objects are rejected', () => {
  const body = [1, 'x', null, true, [a], a];
  expect(reasons(parse(body))).toEqual([
    'event 1: type: expected an object, got 1',
    'event 2: type: expected an object, got "x"',
    'event 3: type: expected an object, got null',
    'event 4: type: expected an object, got true',
    'event 5: type: expected an object, got an array',
  ]);
});

test('of members with the same name, the last is used; names that differ only in letter case are rejected', () => {
  expect(messages('{"message":"a","message":"b"}')).toEqual(['b']);
  expect(reasons(parse('{"project":"a","Project":"b"}'))).toEqual([expect.stringContaining('occurs twice')]);
});

describe('compressed bodies', () => {
  const plain = Buffer.from(JSON.stringify([a, b]));
  /** RFC 8878, 3.1.2. */
  const skippableFrame = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 1]);
  test.each([
    ['gzip', gzipSync(plain)],
    ['x-gzip', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['ZSTD', zstdCompressSync(plain)],
    ['identity', gzipSync(plain)],
    ['gzip', gzipSync(gzipSync(plain))],
    ['gzip', Buffer.concat([gzipSync(plain.subarray(0, 9)), gzipSync(plain.subarray(9)), Buffer.alloc(3)])],
    ['zstd', Buffer.concat([zstdCompressSync(plain.subarray(0, 9)), zstdCompressSync(plain.subarray(9))])],
    ['zstd', Buffer.concat([skippableFrame, zstdCompressSync(plain), skippableFrame])],
  ])('%s', (contentEncoding, bytes) => {
    expect(parse(bytes, appSource(), { contentEncoding }).sources[0]?.count).toBe(2);
  });

  test.each(['gzip', 'deflate', 'br', 'zstd'])('damaged %s is an error', (contentEncoding) => {
    const [bytes, cut] = [Buffer.from('{"message":"plain"}'), gzipSync(plain).subarray(0, -9)];
    expect(() => parse(bytes, appSource(), { contentEncoding })).toThrow('damaged, cut short or');
    expect(() => parse(cut, appSource(), { contentEncoding: 'gzip' })).toThrow('damaged, cut short or');
    expect(() => parse(Buffer.alloc(0), appSource(), { contentEncoding })).toThrow('is empty');
  });

  test.each([
    ['gzip', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['zstd', zstdCompressSync(plain)],
  ])('%s that other bytes follow is an error', (contentEncoding, bytes) => {
    const body = Buffer.concat([bytes, Buffer.from('[{"message":"lost"}]')]);
    expect(() => parse(body, appSource(), { contentEncoding })).toThrow('followed by other bytes');
  });

  test('many empty frames in zstd are refused before they take long', () => {
    const body = Buffer.alloc(9 * 1_000_000, zstdCompressSync(''));
    expect(() => parse(body, appSource(), { contentEncoding: 'zstd' })).toThrow('more than 1,000 frames');
  });

  test('an unknown encoding is an error', () => {
    expect(() => parse(plain, appSource(), { contentEncoding: 'lzma' })).toThrow(
      'The content encoding "lzma" is not supported. Use gzip, deflate, br or zstd.',
    );
  });

  const zstdTenMillion = zstdCompressSync(Buffer.alloc(10_000_000, ' '));
  test.each([
    ['gzip', gzipSync(Buffer.alloc(70_000_000, ' '))],
    ['zstd', zstdCompressSync(Buffer.alloc(70_000_000, ' '))],
    ['gzip', gzipSync(gzipSync(Buffer.alloc(70_000_000, ' ')))],
    ['zstd', Buffer.alloc(7 * zstdTenMillion.length, zstdTenMillion)],
  ])('a bomb in %s is not expanded beyond the limit', (contentEncoding, bytes) => {
    expect(bytes.length).toBeLessThan(100_000);
    const before = process.memoryUsage().rss;
    expect(() => parse(bytes, appSource(), { contentEncoding })).toThrow(
      'The body has more than 64 MiB when decompressed.',
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
  });
});

describe('the source', () => {
  test('is known by its names', () => {
    const source = appSource({ aliases: ['app.logs.prod'] });
    expect(parse([a], source, { source: 'app.logs.prod' }).sources[0]?.source).toBe('app');
  });

  test('must be there', () => {
    expect(() => parse([a], appSource(), { source: 'App' })).toThrow('There is no source named "App".');
    for (const body of [[a], [{ source: 'app' }], { ...a, source: 5 }, '{"source":"app"}\n{"source":"app"}'])
      expect(() => parse(body, appSource(), { source: undefined })).toThrow('name the source of the events');
  });

  test('may be a member of a body of one object, which is no field of the event then', () => {
    for (const member of ['source', 'collection', 'source_name', 'collection_name']) {
      const bodies = [
        { ...a, [member]: 'app' },
        { batch: [a], [member]: 'app' },
        { [member]: 'app', batch: [a] },
      ];
      for (const body of bodies)
        expect(parse(body, appSource(), { source: undefined })).toMatchObject({
          sources: [{ source: 'app', count: 1 }],
          rejectedCount: 0,
        });
      const named = { ...a, source: undefined, [member]: 'other' };
      expect(() => parse(named, appSource(), { source: undefined })).toThrow('no source named "other"');
    }
    // The request goes before the body.
    expect(reasons(parse({ ...a, source: 'other' }))).toEqual([
      'event 1: unknown-field: source: unknown field',
    ]);
  });
});

describe('limits', () => {
  const source = appSource();
  const request = { format: 'json', source: 'app', receivedAt: arrival, partial: true } as const;
  const limits = { ...anyTime, maxBodyBytes: 1000, maxEvents: 3, maxRejected: 2, maxFields: 100 };
  const parseLimited = (body: string) => parseEvents(Buffer.from(body), request, [source], limits);

  test('on bytes, events and rejected events', () => {
    expect(parseLimited('{}\n{}\n{}').sources[0]?.count).toBe(3);
    expect(() => parseLimited('{}\n{}\n{}\n{}')).toThrow('more than 3 events. Send them in parts.');
    expect(() => parseLimited('[{},{},{},{}]')).toThrow('more than 3 events. Send them in parts.');
    expect(parseLimited('{}\n1\n2').rejectedCount).toBe(2);
    expect(() => parseLimited('1\n2\n3')).toThrow(
      'More than 2 events do not fit, which is the limit. Nothing was stored. The last was line 3: expected an object, got 3',
    );
    expect(() => parseLimited(`{}${' '.repeat(1000)}`)).toThrow('more than 0 MiB');
  });
});
