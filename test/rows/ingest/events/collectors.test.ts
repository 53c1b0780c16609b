import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { loadSources } from '../../../../src/definitions/sources/load-sources.ts';
import type { Source } from '../../../../src/definitions/sources/source.ts';
import { parseEvents } from '../../../../src/rows/ingest/events/parse-events.ts';
import { anyTime, appSource, arrival, flatRows, reasons } from './support.ts';

const { sources } = await loadSources('schema/sources');
const ignoring = sources.map((source): Source => ({ ...source, unknownFields: 'ignore' }));

function rowsOf(name: string, events: readonly object[]): Record<string, string>[] {
  const request = { format: 'json', source: name, receivedAt: arrival, partial: false } as const;
  const parsed = parseEvents(Buffer.from(JSON.stringify(events)), request, ignoring, anyTime);
  const source = ignoring.find((candidate) => candidate.name === name);
  if (source === undefined) throw new Error(`no ${name}`);
  return flatRows(parsed, source);
}

const timestamp = '2024-02-09T01:02:03.123456789Z';

describe("what Supabase's collector sends fits the included sources, without what they don't have", () => {
  const project = 'default';
  const common = { appname: 'container', timestamp };

  test('edge_logs: the gateway of the API', () => {
    const [request, response] = [
      {
        method: 'GET',
        path: '/rest/v1/',
        protocol: 'HTTP/1.1',
        headers: { user_agent: 'curl', cf_connecting_ip: '10.0.0.1' },
      },
      { status_code: 200 },
    ];
    const event = { ...common, project, event_message: 'GET /rest/v1/', metadata: { request, response } };
    expect(rowsOf('edge_logs', [event])).toMatchObject([
      {
        ...{ project, timestamp: '2024-02-09T01:02:03.123456', event_message: 'GET /rest/v1/' },
        ...{ 'metadata.request.path': '/rest/v1/', 'metadata.response.status_code': '200' },
        'metadata.request.headers.cf_connecting_ip': '10.0.0.1',
      },
    ]);
  });

  test('auth_logs, postgres_logs and postgrest_logs', () => {
    const auth = { level: 'info', msg: 'ok', status: 200, duration: 1_234_567, time: timestamp, header: 'x' };
    expect(
      rowsOf('auth_logs', [
        { ...common, project, event_message: JSON.stringify(auth), metadata: { timestamp, ...auth } },
        { ...common, project, event_message: 'not JSON' },
      ]),
    ).toMatchObject([{ 'metadata.status': '200' }, { project, 'metadata.': 'false' }]);
    const parsed = { timestamp, error_severity: 'LOG' };
    expect(
      rowsOf('postgres_logs', [
        { ...common, project, event_message: 'LOG: ready', metadata: { host: 'db-default', parsed } },
      ]),
    ).toMatchObject([{ project, 'metadata.host': 'db-default', 'metadata.parsed.error_severity': 'LOG' }]);
    expect(
      rowsOf('postgrest_logs', [{ ...common, project, event_message: 'x', metadata: { host: project } }]),
    ).toMatchObject([{ project, 'metadata.host': 'default' }]);
  });

  test('realtime_logs, storage_logs and function_logs', () => {
    expect(
      rowsOf('realtime_logs', [
        { ...common, event_message: 'x', metadata: { project, external_id: project, level: 'info' } },
      ]),
    ).toMatchObject([{ 'metadata.project': project, 'metadata.level': 'info' }]);
    const metadata = {
      project,
      tenantId: project,
      level: 'info',
      timestamp,
      context: [{ host: 'h', pid: 1 }],
    };
    expect(rowsOf('storage_logs', [{ ...common, event_message: 'x', metadata }])).toMatchObject([
      { 'metadata.context.pid': '1' },
    ]);
    expect(
      rowsOf('function_logs', [{ ...common, event_message: 'x', metadata: { project_ref: project } }]),
    ).toMatchObject([{ 'metadata.project_ref': project }]);
  });
});

test("Cloudflare's Logpush: NDJSON in gzip, with times in nanoseconds", () => {
  const source = appSource({
    timestamp: ['EdgeStartTimestamp'],
    rename: [
      { from: 'RayID', to: 'id' },
      { from: 'EdgeResponseStatus', to: 'metadata.status' },
      { from: 'ClientRequestHost', to: 'metadata.headers.host' },
    ],
    unknownFields: 'ignore',
  });
  const line = (ray: string) =>
    `{"ClientRequestHost":"example.com","EdgeResponseStatus":200,"EdgeStartTimestamp":1700000000123456789,"RayID":"${ray}","Other":1}`;
  const request = {
    format: 'json',
    source: 'app',
    contentEncoding: 'gzip',
    receivedAt: arrival,
    partial: false,
  } as const;
  const parse = (body: string) => parseEvents(gzipSync(body), request, [source], anyTime);
  const row = {
    timestamp: '2023-11-14T22:13:20.123456',
    'metadata.status': '200',
    'metadata.headers.host': 'example.com',
  };
  expect(flatRows(parse(`${line('a')}\n${line('b')}\n`), source)).toMatchObject([
    { id: 'a', ...row },
    { id: 'b', ...row },
  ]);
  expect(reasons(parse('{"content":"test","filename":"test.txt"}'))).toEqual([]);
});

test("pino's lines, Vector's and Fluent Bit's events", () => {
  const source = appSource({ unknownFields: 'ignore', timestamp: ['timestamp', 'time', 'date'] });
  const request = { format: 'json', source: 'app', receivedAt: arrival, partial: false } as const;
  const parse = (body: unknown) =>
    flatRows(parseEvents(Buffer.from(JSON.stringify(body)), request, [source], anyTime), source);
  expect(parse({ level: 30, time: 1_700_000_000_123, pid: 1, hostname: 'h', msg: 'hello' })).toMatchObject([
    { timestamp: '2023-11-14T22:13:20.123000', event_message: 'hello' },
  ]);
  expect(parse([{ message: 'hello', timestamp, source_type: 'file', host: 'h', file: '/a' }])).toMatchObject([
    { timestamp: '2024-02-09T01:02:03.123456', event_message: 'hello' },
  ]);
  expect(parse([{ date: 1_700_000_000.123456, log: 'x', message: 'hello' }])).toMatchObject([
    { timestamp: '2023-11-14T22:13:20.123456', event_message: 'hello' },
  ]);
});
