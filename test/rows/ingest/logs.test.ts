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
      done: 'true',
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
