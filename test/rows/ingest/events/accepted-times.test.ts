import { expect, test } from 'vitest';
import { defaultEventLimits } from '../../../../src/rows/ingest/events/event-request.ts';
import { parseEvents } from '../../../../src/rows/ingest/events/parse-events.ts';
import { appSource, arrival, flatRows, reasons } from './support.ts';

const request = { format: 'json', source: 'app', receivedAt: arrival, partial: true } as const;
const range =
  'expected a time from 1923-11-14T22:13:20Z to 2023-11-15T22:13:20Z (INGEST_MAX_PAST_DAYS, INGEST_MAX_FUTURE_SECONDS)';
const keeping = appSource({ timesOutOfRange: 'arrival' });

function parse(events: readonly object[], source = appSource(), limits = defaultEventLimits) {
  return parseEvents(Buffer.from(JSON.stringify(events)), request, [source], limits);
}

test('times are accepted from a hundred years before the arrival to a day after it', () => {
  const parsed = parse([
    { timestamp: '1923-11-14T22:13:20Z' },
    { timestamp: '2023-11-15T22:13:20.000000Z' },
    { timestamp: '1923-11-14T22:13:19.999999Z' },
    { timestamp: '2023-11-15T22:13:20.000001Z' },
    { time: 32_503_680_000 },
    { '@timestamp': '2999-01-01 00:00:00+00' },
  ]);
  expect(reasons(parsed)).toEqual([
    `event 3: time: timestamp: ${range}, got "1923-11-14T22:13:19.999999Z"`,
    `event 4: time: timestamp: ${range}, got "2023-11-15T22:13:20.000001Z"`,
    'event 5: type: time: expected TIMESTAMP, got 32503680000',
    `event 6: time: @timestamp: ${range}, got "2999-01-01 00:00:00+00"`,
  ]);
  expect(parsed.sources[0]?.count).toBe(2);
});

test('limits can be set', () => {
  const times = { maxPastDays: 1, maxFutureSeconds: 0 };
  const events = ['2023-11-13T22:13:20Z', '2023-11-13T22:13:19Z', '2023-11-14T22:13:21Z'];
  const parsed = parse(
    events.map((timestamp) => ({ timestamp })),
    appSource(),
    { ...defaultEventLimits, times },
  );
  expect(parsed.rejected.map(({ index }) => index)).toEqual([2, 3]);
});

test('a source can keep events out of range, with the time of arrival', () => {
  const event = { timestamp: '2999-01-01T00:00:00Z', message: 'ahead' };
  const parsed = parse([event, { timestamp: '2023-11-14T00:00:00Z' }, { timestamp: 'x' }], keeping);
  expect(reasons(parsed)).toEqual(['event 3: type: timestamp: expected TIMESTAMP, got "x"']);
  const [of] = parsed.sources;
  expect(of).toMatchObject({ count: 2, maxTimestamp: arrival });
  expect(of?.ranges.at(-1)).toEqual({ from: arrival - 600_000_000n, to: arrival });
  const rows = flatRows({ ...parsed, rejected: [] });
  expect(rows.map(({ timestamp }) => timestamp)).toEqual(['2023-11-14T22:13:20', '2023-11-14T00:00:00Z']);
  // Sent again within ten minutes, it has the same id or the former one.
  const body = Buffer.from(JSON.stringify([event]));
  const first = flatRows(parseEvents(body, request, [keeping]));
  const again = parseEvents(body, { ...request, receivedAt: arrival + 600_000_000n }, [keeping]);
  expect(again.sources[0]?.parts).toMatchObject([{ formerIds: first[0]?.id }]);
});

test('a log record of OpenTelemetry is treated the same', () => {
  const record = { timeUnixNano: '4102444800000000000', body: { stringValue: 'ahead' } };
  const logs = { resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] };
  const body = Buffer.from(JSON.stringify(logs));
  const otlp = { ...request, format: 'otlp-json' } as const;
  expect(reasons(parseEvents(body, otlp, [appSource({ unknownFields: 'ignore' })]))).toEqual([
    `record 1: time: timestamp: ${range}, got "2100-01-01T00:00:00.000000000Z"`,
  ]);
  const kept = parseEvents(body, otlp, [{ ...keeping, unknownFields: 'ignore' }]);
  expect(kept.sources[0]).toMatchObject({ count: 1, minTimestamp: arrival });
});
