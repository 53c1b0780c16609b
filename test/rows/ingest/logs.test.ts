import { describe, expect, test } from 'vitest';
import { accessLogRecord } from '../../../src/rows/ingest/logs/access-log.ts';
import { logfmtRecord } from '../../../src/rows/ingest/logs/logfmt.ts';
import { plainLineReader } from '../../../src/rows/ingest/logs/plain-lines.ts';
import { syslogReader } from '../../../src/rows/ingest/logs/syslog.ts';
import { formatOf } from '../../../src/rows/ingest/text/text-format.ts';

describe('access logs', () => {
  test('of the Common Log Format', () => {
    const line = '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326';
    expect(accessLogRecord(line)).toEqual({
      timestamp: '10/Oct/2000:13:55:36 -0700',
      remote_host: '127.0.0.1',
      user: 'frank',
      method: 'GET',
      path: '/apache_pb.gif',
      protocol: 'HTTP/1.0',
      status: 200,
      size: 2326,
      event_message: line,
    });
  });

  test('of the Combined Log Format, with quotes in a text, a virtual host and further fields', () => {
    const line = String.raw`example.com:443 ::1 - - [10/Oct/2000:13:55:36 +0000] "POST /a?b=\"c\" HTTP/2.0" 404 - "http://x/" "A \"B\"" 0.003`;
    expect(accessLogRecord(line)).toMatchObject({
      virtual_host: 'example.com:443',
      remote_host: '::1',
      path: '/a?b="c"',
      status: 404,
      referrer: 'http://x/',
      user_agent: 'A "B"',
    });
    expect(accessLogRecord(line)).not.toHaveProperty('size');
  });

  test('of requests that are none', () => {
    const line = (request: string) => `h - - [10/Oct/2000:13:55:36 +0000] "${request}" 400 0`;
    expect(accessLogRecord(line('-'))).not.toHaveProperty('path');
    expect(accessLogRecord(line(String.raw`\x16\x03`))).toMatchObject({ path: String.raw`\x16\x03` });
    expect(accessLogRecord('started')).toBeUndefined();
  });
});

describe('logfmt', () => {
  test('has pairs, quoted texts and keys alone', () => {
    expect(
      logfmtRecord(String.raw`ts=2024-05-01T10:00:00Z level=info msg="a \"b\"\n" n=1 empty= done`),
    ).toEqual({
      timestamp: '2024-05-01T10:00:00Z',
      event_message: 'a "b"\n',
      level: 'info',
      n: '1',
      empty: null,
      done: 'true',
    });
    expect(logfmtRecord('a= b= a=1 b="" ts= time=x msg= k=v')).toMatchObject({
      a: '1',
      b: '',
      timestamp: 'x',
      ts: null,
      event_message: 'a= b= a=1 b="" ts= time=x msg= k=v',
    });
  });

  test('keeps each value of a key that occurs again', () => {
    expect(logfmtRecord('n=abc n=2 n_2=x n=3 msg=plain msg=again')).toEqual({
      event_message: 'plain',
      msg_2: 'again',
      n: 'abc',
      n_2: '2',
      n_2_2: 'x',
      n_3: '3',
    });
  });

  test('is not any line', () => {
    for (const line of ['just words', 'a="b', '="x"']) expect(logfmtRecord(line)).toBeUndefined();
  });
});

describe('syslog', () => {
  const read = syslogReader(new Date('2024-03-01T00:00:00Z'));

  test('of RFC 5424', () => {
    const line = String.raw`<165>1 2003-10-11T22:14:15.003Z mymachine.example.com evntslog - ID47 [ex@1 iut="3" q="a\"]"][b x="y"] An event`;
    expect(read(line)).toEqual({
      timestamp: '2003-10-11T22:14:15.003Z',
      facility: 'local4',
      severity: 'notice',
      host: 'mymachine.example.com',
      app_name: 'evntslog',
      message_id: 'ID47',
      structured_data: { 'ex@1': { iut: '3', q: 'a"]' }, b: { x: 'y' } },
      event_message: 'An event',
    });
    expect(read('<34>1 - - - - - -')).toEqual({ facility: 'auth', severity: 'crit', event_message: '' });
  });

  test('keeps each value of a parameter that occurs again', () => {
    expect(read('<34>1 - h - - - [x@1 a="b" a="c" b="d" a="e"][x@1 a="f"] m')).toMatchObject({
      structured_data: { 'x@1': { a: 'b', a_2: 'c', b: 'd', a_3: 'e' }, 'x@1_2': { a: 'f' } },
    });
  });

  test('of RFC 3164, in the last year that has the time', () => {
    expect(read("<34>Oct 11 22:14:15 mymachine su[9]: 'su root' failed")).toEqual({
      timestamp: 'Oct 11 22:14:15 2023',
      facility: 'auth',
      severity: 'crit',
      host: 'mymachine',
      app_name: 'su',
      process_id: '9',
      event_message: "'su root' failed",
    });
    expect(read('Feb  9 01:02:03 h kernel: up')).toMatchObject({ timestamp: 'Feb 09 01:02:03 2024' });
    expect(read('Feb 29 01:02:03 h kernel: up')).toMatchObject({ timestamp: 'Feb 29 01:02:03 2024' });
    expect(read('2024-02-09T01:02:03.5+01:00 h app: up')).toMatchObject({ app_name: 'app' });
    expect(read('nothing')).toBeUndefined();
    expect(read('Feb  9 01:02:03 CET h app: up')).toBeUndefined();
  });
});

test('plain lines have the time at their beginning, or that of the line before', () => {
  const read = plainLineReader();
  expect(
    ['first', '2024-05-01 10:00:00,123 ERROR x', '  at y', '[2024-05-01T10:00:01Z] z'].map(read),
  ).toEqual([
    { event_message: 'first' },
    { timestamp: '2024-05-01 10:00:00,123', event_message: '2024-05-01 10:00:00,123 ERROR x' },
    { timestamp: '2024-05-01 10:00:00,123', event_message: '  at y' },
    { timestamp: '2024-05-01T10:00:01Z', event_message: '[2024-05-01T10:00:01Z] z' },
  ]);
});

test.each([
  ['2026-11-01 10:00:01.123 UTC [123] LOG:  x', '2026-11-01 10:00:01.123 UTC'],
  ['2026-11-01 10:00:01.123 GMT [123] LOG:  x', '2026-11-01 10:00:01.123 GMT'],
  ['2026-11-01 10:00:01.123 +03 [123] LOG:  x', '2026-11-01 10:00:01.123 +03'],
  ['2026-11-01T10:00:01.5Z x', '2026-11-01T10:00:01.5Z'],
  ['2026-11-01 10:00:01 PID 5', '2026-11-01 10:00:01'],
  ['2026-11-01 10:00:01 EXPORT x', '2026-11-01 10:00:01'],
  ['2026-11-01 10:00:01 GET/x', '2026-11-01 10:00:01'],
  ['2026-11-01 10:00:01.123 CET [123] LOG:  x', undefined],
  ['2026-11-01 10:00:01 PST x', undefined],
  ['[2026-11-01 10:00:01,123 CEST] x', undefined],
  ['2026-11-01 10:00:01.123 (MESZ) x', undefined],
  ['2026-11-01T10:00:01EST x', undefined],
  ['2026-11-01 10:00:01 UTC+2 x', undefined],
  ['2026-11-01 10:00:01 GMT+02:00 x', undefined],
  ['2026-11-01 10:00:01 Europe/Berlin x', undefined],
  ['20261101T100001 CET x', undefined],
  ['Sun Nov 01 10:00:01 CET 2026 x', undefined],
  ['01/Nov/2026:10:00:01 CET x', undefined],
])('the time of the plain line %j is %j', (line, timestamp) => {
  const event = { event_message: line };
  expect(plainLineReader()(line)).toEqual(timestamp === undefined ? event : { timestamp, ...event });
});

test('a time in a zone that is not known is not that of a line before it', () => {
  const read = plainLineReader();
  expect(['2026-10-25 00:59:59 GMT a', '2026-10-25 01:00:00 BST b', '  at c'].map(read)).toEqual([
    { timestamp: '2026-10-25 00:59:59 GMT', event_message: '2026-10-25 00:59:59 GMT a' },
    { event_message: '2026-10-25 01:00:00 BST b' },
    { event_message: '  at c' },
  ]);
});

test.each([
  ['x.csv', 'anything', 'csv'],
  ['x.tsv.zst', 'a\tb', 'csv'],
  ['x.ndjson', 'broken', 'json'],
  ['-', '{"a":1}\n', 'json'],
  ['-', ' [\n {"a":1}]', 'json'],
  ['-', '[1,2]', 'json'],
  ['-', '\uFEFF{"a":1}', 'json'],
  ['-', 'a,b\n1,2\n', 'csv'],
  ['-', 'id;name\n1;"x;y"\n', 'csv'],
  ['x.log', 'h - - [10/Oct/2000:13:55:36 +0000] "GET / HTTP/1.0" 200 1\n', 'clf'],
  ['x.log', 'level=info msg=hello\nlevel=warn msg="a b"\n', 'logfmt'],
  ['x.log', '<34>1 2003-10-11T22:14:15.003Z h a - - - x\n', 'syslog'],
  ['x.log', 'Oct 11 22:14:15 h su: x\n', 'syslog'],
  ['x.log', '[2024-05-01 10:00:00] started\n', 'lines'],
  ['x.log', '2024-05-01 10:00:00 a, b\n2024-05-01 10:00:01 c, d\n', 'lines'],
  ['x.log', 'Hello, world. It is fine.\nSome more, words.\n', 'lines'],
  ['x.txt', 'one\ntwo\n', 'lines'],
])('%s with %j is %s', (name, text, format) => {
  expect(formatOf(text, name, true)).toBe(format);
});
