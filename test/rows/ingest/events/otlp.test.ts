import { gzipSync } from 'node:zlib';
import { JsonLogsSerializer, ProtobufLogsSerializer } from '@opentelemetry/otlp-transformer';
import { describe, expect, test } from 'vitest';
import type { Source } from '../../../../src/definitions/sources/source.ts';
import { parseEvents } from '../../../../src/rows/ingest/events/parse-events.ts';
import { makeSource } from '../../../engines/duckdb/store/support.ts';
import { appSource, arrival, flatRows, parse, reasons } from './support.ts';

type LogRecords = Parameters<typeof ProtobufLogsSerializer.serializeRequest>[0];

const text = (name: string) => ({ name, type: 'STRING' });
const record = (name: string, ...fields: object[]) => ({ name, type: 'RECORD', mode: 'REPEATED', fields });
const otlpSource = {
  ...makeSource(
    'app',
    text('event_message'),
    record(
      'metadata',
      ...['severity', 'trace_id', 'span_id', 'event_name'].map(text),
      { name: 'severity_number', type: 'INT64' },
      { name: 'trace_flags', type: 'INT64' },
      record(
        'attributes',
        ...['http_method', 'bytes'].map(text),
        { name: 'count', type: 'INT64' },
        { name: 'ratio', type: 'FLOAT64' },
        { name: 'nan', type: 'FLOAT64' },
        { name: 'flag', type: 'BOOL' },
        { name: 'list', type: 'INT64', mode: 'REPEATED' },
        record('map', text('inner_key')),
      ),
      record('resource', text('service_name'), text('source')),
      record('scope', text('name'), text('version')),
    ),
  ),
  unknownFields: 'ignore',
} satisfies Source;

const resource = (attributes: object) => ({ attributes });
const scope = { name: 'lib', version: '1.2.3' };
const full = {
  hrTime: [1_700_000_000, 123_456_789],
  hrTimeObserved: [1_700_000_001, 0],
  severityNumber: 10,
  severityText: 'info',
  body: 'Hello',
  eventName: 'greeting',
  attributes: {
    ...{ 'http.method': 'GET', count: 42, ratio: 1.5, flag: true },
    ...{ list: [1, 2], map: { 'inner.key': 'x' }, bytes: new Uint8Array([0, 255]) },
  },
  spanContext: { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 },
  droppedAttributesCount: 0,
  resource: resource({ 'service.name': 'shop' }),
  instrumentationScope: scope,
};

const formats = [
  ['otlp-protobuf', ProtobufLogsSerializer],
  ['otlp-json', JsonLogsSerializer],
] as const;

describe.each(formats)('%s as the SDK writes it', (format, serializer) => {
  const bytesOf = (...records: object[]) =>
    serializer.serializeRequest(records as unknown as LogRecords) ?? new Uint8Array();
  const parsed = (bytes: Uint8Array, options = {}, source: Source = otlpSource) =>
    parse(bytes, source, { format, ...options });
  const rows = (...records: object[]) => flatRows(parsed(bytesOf(...records)), otlpSource);

  test('a record with everything', () => {
    const [{ id, ...row } = { id: '' }] = rows(full);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(row).toEqual({
      timestamp: '2023-11-14T22:13:20.123456',
      event_message: 'Hello',
      'metadata.': 'true',
      ...{ 'metadata.severity': 'info', 'metadata.severity_number': '10', 'metadata.event_name': 'greeting' },
      'metadata.trace_id': '0af7651916cd43dd8448eb211c80319c',
      ...{ 'metadata.span_id': 'b7ad6b7169203331', 'metadata.trace_flags': '1' },
      ...{ 'metadata.attributes.': 'true', 'metadata.attributes.http_method': 'GET' },
      ...{ 'metadata.attributes.count': '42', 'metadata.attributes.ratio': '1.5' },
      ...{ 'metadata.attributes.flag': 'true' },
      ...{ 'metadata.attributes.list': '[1,2]', 'metadata.attributes.bytes': 'AP8=' },
      ...{ 'metadata.attributes.map.': 'true', 'metadata.attributes.map.inner_key': 'x' },
      ...{ 'metadata.resource.': 'true', 'metadata.resource.service_name': 'shop' },
      ...{ 'metadata.scope.': 'true', 'metadata.scope.name': 'lib', 'metadata.scope.version': '1.2.3' },
    });
  });

  test('what is missing is made or left out', () => {
    const bare = {
      ...full,
      severityText: undefined,
      spanContext: undefined,
      attributes: {},
      eventName: undefined,
    };
    const [row] = rows({ ...bare, hrTime: [0, 0], body: { a: [1, 'x', 1.5, null], b: true } });
    expect(row).toMatchObject({
      timestamp: '2023-11-14T22:13:21',
      event_message: '{"a":[1,"x",1.5,null],"b":true}',
      'metadata.severity': 'INFO',
      'metadata.attributes.': 'false',
    });
    expect(row).not.toHaveProperty(['metadata.trace_id']);
    const untimed = parsed(bytesOf({ ...bare, hrTime: [0, 0], hrTimeObserved: [0, 0], body: undefined }));
    expect(untimed.sources[0]).toMatchObject({
      minTimestamp: arrival,
      ranges: [{ from: arrival - 600_000_000n, to: arrival }],
    });
    expect(flatRows(untimed, otlpSource)[0]).not.toHaveProperty('event_message');
  });

  test('maps in a body keep their names', () => {
    const body = { 'net.port': 1, net_port: 2, inner: [{ 'a/b': 3 }] };
    expect(JSON.parse(rows({ ...full, body })[0]?.event_message ?? '')).toEqual(body);
  });

  test('a request that is sent again has the same ids, and equal records different ones', () => {
    const ids = (...records: object[]) => rows(...records).map(({ id }) => id);
    const later = { ...full, hrTime: [1_700_000_000, 123_456_790] };
    expect(ids(full, full, later)).toEqual(ids(full, full, later));
    expect(new Set(ids(full, full, later)).size).toBe(3);
  });

  test('the source is named by the resource, else by the request', () => {
    const other = { ...appSource({ aliases: ['app.two'], unknownFields: 'ignore' }), name: 'two' };
    const named = (attributes: object) => ({ ...full, resource: resource(attributes) });
    const bytes = bytesOf(
      full,
      named({ 'logflare.source': 'app.two' }),
      named({ source: 'two' }),
      named({ source: 'three' }),
    );
    const request = { format, source: 'app', receivedAt: arrival, partial: true } as const;
    const both = parseEvents(bytes, request, [otlpSource, other]);
    expect(both.sources).toMatchObject([
      { source: 'app', count: 1 },
      { source: 'two', count: 2 },
    ]);
    expect(reasons(both)).toEqual(['record 4: source: there is no source named "three"']);
    expect(() => parseEvents(bytesOf(full), { ...request, source: undefined }, [otlpSource])).toThrow(
      /^The request names no source: use the attribute /,
    );
  });

  test('attributes are added to a source that takes new fields', () => {
    const bare = { ...makeSource('app'), unknownFields: 'add' } as const;
    const values = { 'a.b': 'x', whole: 1, double: 0.5 };
    const { newFields } = parsed(bytesOf({ ...full, attributes: values }), {}, bare);
    const [, metadata] = newFields[0]?.fields ?? [];
    expect(metadata?.fields?.find(({ name }) => name === 'attributes')?.fields).toEqual([
      { name: 'a_b', type: 'STRING', mode: 'NULLABLE' },
      { name: 'whole', type: 'INT64', mode: 'NULLABLE' },
      { name: 'double', type: 'FLOAT64', mode: 'NULLABLE' },
    ]);
  });

  test('a value of another type rejects its record', () => {
    const bytes = bytesOf(full, { ...full, attributes: { count: 'many' } });
    expect(reasons(parsed(bytes))).toEqual([
      'record 2: type: metadata.attributes.count: expected INT64, got "many"',
    ]);
  });

  test('a body in gzip, and one without records', () => {
    expect(parsed(gzipSync(bytesOf(full)), { contentEncoding: 'gzip' }).sources[0]?.count).toBe(1);
    expect(parsed(bytesOf())).toMatchObject({ sources: [], rejectedCount: 0 });
  });
});

test('doubles that are not finite are kept, and whole ones stay doubles', () => {
  const attributes = { nan: Number.NaN, ratio: Number.POSITIVE_INFINITY };
  const bytes = ProtobufLogsSerializer.serializeRequest([{ ...full, attributes }] as unknown as LogRecords);
  const request = { format: 'otlp-protobuf' } as const;
  expect(flatRows(parse(bytes, otlpSource, request), otlpSource)[0]).toMatchObject({
    ...{ 'metadata.attributes.nan': 'NaN', 'metadata.attributes.ratio': 'Infinity' },
  });
  const double = { key: 'double', value: { doubleValue: 2 } };
  const body = { resourceLogs: [{ scopeLogs: [{ logRecords: [{ attributes: [double] }] }] }] };
  const bare = { ...makeSource('app'), unknownFields: 'add' } as const;
  expect(JSON.stringify(parse(body, bare, { format: 'otlp-json' }).newFields)).toContain(
    '{"name":"double","type":"FLOAT64","mode":"NULLABLE"}',
  );
});

test('an empty body is a request without records in protobuf, and no request in JSON', () => {
  expect(parse(new Uint8Array(), otlpSource, { format: 'otlp-protobuf' }).sources).toEqual([]);
  expect(() => parse('', otlpSource, { format: 'otlp-json' })).toThrow(
    'The body is no request of OTLP: not JSON',
  );
});

describe('JSON as the specification allows it', () => {
  const of = (logRecord: object) => ({ resourceLogs: [{ scopeLogs: [{ logRecords: [logRecord] }] }] });
  const row = (logRecord: object) =>
    flatRows(parse(of(logRecord), otlpSource, { format: 'otlp-json' }), otlpSource)[0];

  test('64-bit integers as numbers, severities by name, ids in capitals, unknown keys, nulls', () => {
    const body = `{"resourceLogs":[{"scopeLogs":[{"scope":null,"later":1,"logRecords":[{
      "timeUnixNano":1700000000123456789,"severityNumber":"SEVERITY_NUMBER_ERROR2","traceId":"0AF7651916CD43DD8448EB211C80319C",
      "body":{"intValue":"9223372036854775807"},"attributes":[{"key":"count","value":{"intValue":5}},
      {"key":"ratio","value":{"doubleValue":"1.5"}},{"key":"nothing","value":{}},{"key":"nothing2"}],"later":{}}]}]}]}`;
    expect(flatRows(parse(body, otlpSource, { format: 'otlp-json' }), otlpSource)[0]).toMatchObject({
      timestamp: '2023-11-14T22:13:20.123456',
      event_message: '9223372036854775807',
      ...{ 'metadata.severity': 'ERROR', 'metadata.severity_number': '18' },
      'metadata.trace_id': '0af7651916cd43dd8448eb211c80319c',
      ...{ 'metadata.attributes.count': '5', 'metadata.attributes.ratio': '1.5' },
    });
    expect(row({ traceId: '0'.repeat(32), spanId: '' })).not.toHaveProperty(['metadata.trace_id']);
  });

  test.each([
    [{ timeUnixNano: 'x' }, 'logRecords[0].timeUnixNano: expected nanoseconds since 1970, got "x"'],
    [{ timeUnixNano: '18446744073709551616' }, 'timeUnixNano: expected nanoseconds since 1970'],
    [{ severityNumber: 'LOUD' }, 'severityNumber: expected an integer of 32 bits, got "LOUD"'],
    [{ severityNumber: 'SEVERITY_NUMBER_LOUD' }, 'severityNumber: expected a severity'],
    [{ traceId: 'abc' }, 'traceId: expected 32 hexadecimal digits, got "abc"'],
    [{ body: 'text' }, 'logRecords[0].body: expected an object, got "text"'],
    [{ attributes: {} }, 'attributes: expected an array, got an object'],
    [
      { attributes: [{ key: 'a', value: { intValue: 1.5 } }] },
      'attributes[0].value.intValue: expected an integer of 64 bits, got 1.5',
    ],
    [{ attributes: [{ key: 'a', value: { doubleValue: 'x' } }] }, 'doubleValue: expected a double, got "x"'],
  ])('%j is refused with its place', (logRecord, reason) => {
    expect(() => row(logRecord)).toThrow(reason);
  });
});

describe('attributes whose names would be the same', () => {
  const source = { ...makeSource('app'), unknownFields: 'add' } as const;
  const columnsOf = (...keys: string[]) => {
    const attributes = keys.map((key, index) => ({ key, value: { intValue: String(index) } }));
    const body = {
      resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano: '1700000000000000000', attributes }] }] }],
    };
    const [metadata] = parse(body, source, { format: 'otlp-json' }).newFields[0]?.fields ?? [];
    return metadata?.fields?.[0]?.fields?.map(({ name }) => name).sort();
  };

  test.each([
    [['net.port'], ['net_port']],
    [
      ['net.port', 'net_port'],
      ['net_port', 'net_port_d02acc'],
    ],
    [
      ['net_port', 'net.port'],
      ['net_port', 'net_port_d02acc'],
    ],
    [
      ['net/port', 'net.port'],
      ['net_port', 'net_port_794830'],
    ],
    [['net_port', 'net_port'], ['net_port']],
  ])('are kept apart, whatever their order: %j', (keys, columns) => {
    expect(columnsOf(...keys)).toEqual(columns);
    expect(columnsOf(...keys.reverse())).toEqual(columns);
  });
});

describe('a request of something else is refused', () => {
  const ofJson = (body: unknown) => () => parse(body, otlpSource, { format: 'otlp-json' });

  test.each([
    [
      { resourceSpans: [] },
      'no resourceLogs, which this path takes, but "resourceSpans": traces, which the gateway',
    ],
    [{ resourceMetrics: [{}] }, 'but "resourceMetrics": metrics'],
    [{ resourceProfiles: [] }, 'but "resourceProfiles": profiles'],
    [{ records: [], a: 1 }, 'but "records", "a"'],
    [{ resource_logs: [] }, 'resource_logs: the names of fields are in lower camel case, here resourceLogs'],
    [{ resourceLogs: [{ scope_logs: [] }] }, 'resourceLogs[0].scope_logs: the names of fields'],
    [
      { resourceLogs: [{ resource: {}, instrumentationLibraryLogs: [] }] },
      'resourceLogs[0] has no scopeLogs, which this path takes, but "instrumentationLibraryLogs"',
    ],
    [
      { resourceLogs: [{ schemaUrl: '', scopeSpans: [] }] },
      'resourceLogs[0] has no scopeLogs, which this path takes, but "scopeSpans"',
    ],
    [
      { resourceLogs: [{ scopeLogs: [{ scope: {}, logs: [] }] }] },
      'scopeLogs[0] has no logRecords, which this path takes, but "logs"',
    ],
    [
      { resourceLogs: [{ scopeLogs: [{ logRecords: [{ severity: 'info', message: 'lost' }] }] }] },
      'logRecords[0] has no timeUnixNano, ',
    ],
    [
      { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { string_value: 'x' } }] }] }] },
      'logRecords[0].body.string_value: the names of fields are in lower camel case, here stringValue',
    ],
    [
      { resourceLogs: [{ scopeLogs: [{ logRecords: [{ time_unix_nano: '1' }] }] }] },
      'time_unix_nano: the names of fields are in lower camel case, here timeUnixNano',
    ],
  ])('in JSON: %j', (body, reason) => {
    expect(ofJson(body)).toThrow(reason);
  });

  test.each([
    {},
    { resourceLogs: [] },
    { resourceLogs: null, later: 1 },
    { resourceLogs: [], resourceSpans: [] },
    {
      resourceLogs: [{}, { resource: {}, schemaUrl: '' }, { scopeLogs: [{}, { scope: {}, schemaUrl: '' }] }],
    },
    { resourceLogs: [{ scopeLogs: [], later: 1 }, { scopeLogs: [{ logRecords: [], later: 1 }] }] },
  ])('but not %j', (body) => {
    expect(ofJson(body)()).toMatchObject({ sources: [], rejectedCount: 0 });
  });

  test('in protobuf: spans begin with an id, metrics with a name', () => {
    const field = (id: number, inner: number[]) => [(id << 3) | 2, inner.length, ...inner];
    const request = (record: number[]) => Uint8Array.from(field(1, field(2, field(2, record))));
    const ofProtobuf = (bytes: Uint8Array) => () => parse(bytes, otlpSource, { format: 'otlp-protobuf' });
    const span = [...field(1, Array(16).fill(7)), ...field(2, Array(8).fill(7)), ...field(5, [0x61])];
    const metric = [...field(1, [0x61, 0x62]), ...field(3, [0x73])];
    for (const record of [span, metric]) expect(ofProtobuf(request(record))).toThrow('no log records');
    expect(ofProtobuf(request([]))()).toMatchObject({ rejectedCount: 0, sources: [{ count: 1 }] });
    expect(ofProtobuf(Uint8Array.from(field(1, [])))()).toMatchObject({ sources: [] });
  });
});

describe('hostile requests are refused', () => {
  const inProtobuf = (bytes: Uint8Array) => () => parse(bytes, otlpSource, { format: 'otlp-protobuf' });

  test('bytes that are no such message', () => {
    expect(inProtobuf(Buffer.from('{"resourceLogs":[]}'))).toThrow(
      'no request of OTLP: not an ExportLogsServiceRequest',
    );
    const whole =
      ProtobufLogsSerializer.serializeRequest([full] as unknown as LogRecords) ?? new Uint8Array();
    expect(inProtobuf(whole.subarray(0, -1))).toThrow('no request of OTLP');
  });

  /** A message with one field of a length. */
  const nested = (id: number, inner: Uint8Array) => {
    const length: number[] = [];
    let rest = inner.length;
    for (; rest > 127; rest >>>= 7) length.push((rest & 127) | 128);
    return Buffer.concat([Uint8Array.of((id << 3) | 2, ...length, rest), inner]);
  };

  test('messages of two bytes that would become millions of objects', () => {
    const many = Buffer.alloc(2_100_000);
    const of = (id: number) => many.map((_, index) => (index % 2 === 0 ? (id << 3) | 2 : 0));
    const record = (inner: Uint8Array) => nested(1, nested(2, nested(2, inner)));
    for (const bytes of [
      of(1),
      nested(1, nested(2, of(2))),
      record(of(6)),
      record(nested(5, nested(5, of(1)))),
    ])
      expect(inProtobuf(bytes)).toThrow('no request of OTLP: too many values');
    expect(inProtobuf(record(of(6).subarray(0, 1_900_000)))).not.toThrow();
  });

  test('attributes of a resource or a scope that their records would repeat without end', () => {
    const attributes = [{ key: 'long', value: { stringValue: 'x'.repeat(100_000) } }];
    const logs = (of: object, count: number) => ({
      resourceLogs: [{ ...of, scopeLogs: [{ ...of, logRecords: Array(count).fill({}) }] }],
    });
    for (const of of [{ resource: { attributes } }, { scope: { attributes } }]) {
      const tooMany = () => parse(logs(of, 700), otlpSource, { format: 'otlp-json', partial: true });
      expect(tooMany).toThrow('Send fewer records at once');
      expect(parse(logs(of, 3), otlpSource, { format: 'otlp-json' }).sources[0]?.count).toBe(3);
    }
  });

  test('a long name of a source, for each of the records', () => {
    const resource = { attributes: [{ key: 'source', value: { stringValue: 's'.repeat(10_000) } }] };
    const body = { resourceLogs: [{ resource, scopeLogs: [{ logRecords: [{}, {}] }] }] };
    const { rejected } = parse(body, otlpSource, { format: 'otlp-json', partial: true });
    expect(rejected.map(({ reason }) => reason)).toEqual(
      Array(2).fill(`there is no source named "${'s'.repeat(60)}…"`),
    );
  });

  test('values without end', () => {
    let value: Uint8Array = nested(1, Buffer.from('x'));
    for (let level = 0; level < 3000; level++) value = nested(5, nested(1, value));
    const bytes = nested(1, nested(2, nested(2, nested(5, value))));
    expect(inProtobuf(bytes)).toThrow('no request of OTLP');
    let json: object = { stringValue: 'x' };
    for (let level = 0; level < 70; level++) json = { arrayValue: { values: [json] } };
    const body = { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: json }] }] }] };
    expect(() => parse(body, otlpSource, { format: 'otlp-json' })).toThrow('nested too deeply');
    const brackets = `{"resourceLogs":${'['.repeat(1_000_000)}`;
    expect(() => parse(brackets, otlpSource, { format: 'otlp-json' })).toThrow('too many values or levels');
  });

  test('half of a surrogate pair rejects its record', () => {
    const body = (value: object) => ({ resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: value }] }] }] });
    const plain = { stringValue: '\ud83d' };
    for (const value of [plain, { arrayValue: { values: [plain] } }]) {
      expect(parse(body(value), otlpSource, { format: 'otlp-json' })).toMatchObject({
        rejected: [{ reason: expect.stringContaining('not valid Unicode'), cause: 'type' }],
      });
    }
  });
});
