import { expect, test } from 'vitest';
import { defaultTimeLimits } from '../../../../src/definitions/settings/ingest-settings.ts';
import { acceptedTimes } from '../../../../src/rows/ingest/encode/accepted-times.ts';
import { RowParser } from '../../../../src/rows/ingest/parse/row-parser.ts';
import { maxTimestampMicros, minTimestampMicros } from '../../../../src/sql/values/timestamp-text.ts';
import { makeSource } from '../../../engines/duckdb/store/make-source.ts';

/** 2023-11-14T22:13:20Z, in microseconds. */
const now = 1_700_000_000_000_000n;

test('limits never reach beyond the years 1 to 9999', () => {
  const widest = { maxPastDays: 800_000, maxFutureSeconds: 3_155_760_000 };
  expect(acceptedTimes(widest, now).from).toBe(minTimestampMicros);
  expect(acceptedTimes(widest, maxTimestampMicros - 1n).to).toBe(maxTimestampMicros);
  expect(acceptedTimes(defaultTimeLimits, now)).toEqual({
    from: now - 36_525n * 86_400_000_000n,
    to: now + 86_400_000_000n,
  });
});

test('rows out of range are refused in every form of a time', () => {
  const parser = new RowParser(makeSource('s'), { times: acceptedTimes(defaultTimeLimits, now) });
  const add = (timestamp: unknown) =>
    parser.add({ number: 1, text: JSON.stringify({ id: 'a', timestamp }) })?.reason;
  const range =
    'timestamp: expected a time from 1923-11-14T22:13:20Z to 2023-11-15T22:13:20Z (INGEST_MAX_PAST_DAYS, INGEST_MAX_FUTURE_SECONDS)';
  for (const good of ['2023-11-15T22:13:20Z', '1923-11-14 22:13:20', '1923-11-15', 0, 1_700_000_000])
    expect(add(good)).toBeUndefined();
  for (const bad of ['2023-11-15T22:13:21Z', '1923-11-14T22:13:19Z', '2999-01-01', '0001-01-01'])
    expect(add(bad)).toBe(`${range}, got ${JSON.stringify(bad)}`);
  for (const bad of [1_800_000_000, 1_800_000_000_000, 1_800_000_000_000_000, 1_800_000_000.5])
    expect(add(bad)).toBe(`${range}, got ${bad}`);
  expect(add('2023-11-15T23:13:20+01:00')).toBeUndefined();
  expect(add('2023-11-15T23:13:21+01:00')).toContain(range);
  expect(add('x')).toBe('timestamp: expected TIMESTAMP, got "x"');
  expect(add(null)).toBe('timestamp: missing, but REQUIRED');
  expect(new RowParser(makeSource('s')).add({ number: 1, text: '{"id":"a","timestamp":"2999-01-01"}' })).toBe(
    undefined,
  );
});
