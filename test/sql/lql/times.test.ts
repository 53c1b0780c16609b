import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { parseTimestamp } from '../../../src/sql/values/timestamp-text.ts';
import { datetimeTextOfMicros } from '../../../src/sql/values/value-text.ts';
import { type LqlWorld, openLqlWorld } from './support/lql-world.ts';

const micros = (text: string): bigint => {
  const value = parseTimestamp(text);
  if (value === undefined) throw new Error(text);
  return value;
};

/** A Friday. */
const friday = '2026-11-20T06:07:08.9';
const leapDay = '2024-02-29T12:00:00';
const endOfMarch = '2026-03-31T23:59:59.5';
const monday = '2026-11-16T00:00:00';
const sunday = '2026-11-15T23:59:59';
const newYear = '2026-01-01T00:00:00';

/** What the clock shows, an LQL text, and the first and the last instant that it means. */
const ranges: readonly (readonly [now: string, text: string, from: string, to: string])[] = [
  [friday, 't:now', '2026-11-20T06:07:08', '2026-11-20T06:07:08'],
  [friday, 't:today', '2026-11-20', '2026-11-20T23:59:59'],
  [friday, 't:yesterday', '2026-11-19', '2026-11-19T23:59:59'],
  [newYear, 't:yesterday', '2025-12-31', '2025-12-31T23:59:59'],
  [friday, 't:this@minute', '2026-11-20T06:07:00', '2026-11-20T06:07:08'],
  [friday, 't:this@m', '2026-11-20T06:07:00', '2026-11-20T06:07:08'],
  [friday, 't:this@hours', '2026-11-20T06:00:00', '2026-11-20T06:07:08'],
  [friday, 't:this@d', '2026-11-20', '2026-11-20T06:07:08'],
  [friday, 't:this@week', '2026-11-16', '2026-11-20T06:07:08'],
  [sunday, 't:this@w', '2026-11-09', '2026-11-15T23:59:59'],
  [monday, 't:this@weeks', '2026-11-16', '2026-11-16'],
  [friday, 't:this@mm', '2026-11-01', '2026-11-20T06:07:08'],
  [friday, 't:this@year', '2026-01-01', '2026-11-20T06:07:08'],
  [newYear, 't:this@y', '2026-01-01', '2026-01-01'],
  [friday, 't:last@second', '2026-11-20T06:07:07', '2026-11-20T06:07:08'],
  [friday, 't:last@90s', '2026-11-20T06:05:38', '2026-11-20T06:07:08'],
  [friday, 't:last@m', '2026-11-20T06:06:00', '2026-11-20T06:07:08'],
  [friday, 't:last@15minutes', '2026-11-20T05:52:00', '2026-11-20T06:07:08'],
  [friday, 't:last@0h', '2026-11-20T06:00:00', '2026-11-20T06:07:08'],
  [friday, 't:last@1h', '2026-11-20T05:00:00', '2026-11-20T06:07:08'],
  [friday, 't:last@24hours', '2026-11-19T06:00:00', '2026-11-20T06:07:08'],
  [friday, 't:last@d', '2026-11-19', '2026-11-20T06:07:08'],
  [friday, 't:last@7day', '2026-11-13', '2026-11-20T06:07:08'],
  [friday, 't:last@w', '2026-11-13', '2026-11-20T06:07:08'],
  [sunday, 't:last@2weeks', '2026-11-01', '2026-11-15T23:59:59'],
  [friday, 't:last@mm', '2026-10-20', '2026-11-20T06:07:08'],
  [endOfMarch, 't:last@1month', '2026-02-28', '2026-03-31T23:59:59'],
  [leapDay, 't:last@12months', '2023-02-28', '2024-02-29T12:00:00'],
  [leapDay, 't:last@y', '2023-02-28', '2024-02-29T12:00:00'],
  [leapDay, 't:last@4years', '2020-02-29', '2024-02-29T12:00:00'],
  [newYear, 't:2025-01-{05..09}', '2025-01-05', '2025-01-09'],
  [newYear, 't:2025-{01..02}-{10..03}', '2025-01-10', '2025-02-03'],
  [newYear, 't:{2024..2025}-01-01', '2024-01-01', '2025-01-01'],
  [newYear, 't:2025-01-05T{00..23}:{15..45}:00', '2025-01-05T00:15:00', '2025-01-05T23:45:00'],
  [newYear, 't:2025-01-05T00:00:{1..2}.{4..65}-01:00', '2025-01-05T01:00:01.4', '2025-01-05T01:00:02.65'],
  [newYear, 't:2025-01-05..2025-01-06', '2025-01-05', '2025-01-06'],
  [newYear, 't:2025-01-05T00:00:00+02:00..2025-01-05T00:00:00Z', '2025-01-04T22:00:00', '2025-01-05'],
  [newYear, 't:1736035200..1736035200123456', '2025-01-05', '2025-01-05T00:00:00.123'],
  [newYear, 't:2025-01-05', '2025-01-05', '2025-01-05'],
];

let world: LqlWorld;
beforeAll(async () => {
  const bounds = ranges.flatMap(([, , from, to]) => [micros(from), micros(to)]);
  const stamps = [...new Set(bounds.flatMap((at) => [at - 1n, at, at + 1n]))];
  const rows = stamps.map((at) => ({ id: `${at}`, timestamp: `${datetimeTextOfMicros(at)}Z` }));
  world = await openLqlWorld([], rows, 0n);
});
afterAll(() => world?.[Symbol.asyncDispose]());

const found = async (text: string) =>
  (await world.ask(`s:timestamp ${text}`)).map(({ timestamp }) =>
    datetimeTextOfMicros(BigInt(timestamp as number)),
  );

describe('the rows of a time are those from its first to its last instant', () => {
  test.each(ranges)('at %s, %s', async (now, text, from, to) => {
    world.now = micros(now);
    const stamps = await found(text);
    const [first, last] = [datetimeTextOfMicros(micros(from)), datetimeTextOfMicros(micros(to))];
    expect([stamps.at(-1), stamps[0]]).toEqual([first, last]);
  });
});

describe('a comparison', () => {
  it('leaves out or takes in the instant itself', async () => {
    const [from] = await found('t:2025-01-05');
    for (const [sign, holds] of Object.entries({ '>': false, '>=': true, '<': false, '<=': true })) {
      expect([sign, (await found(`t:${sign}2025-01-05`)).includes(from ?? '')]).toEqual([sign, holds]);
    }
  });

  it('with now is one with the current second', async () => {
    world.now = micros(friday);
    const later = await found('t:>now');
    expect(later).toContain('2026-11-20T06:07:08.000001');
    expect(later).not.toContain('2026-11-20T06:07:08');
    expect(await found('-t:<=now')).toEqual(later);
  });
});

it('the last thousands of years are all that there are', async () => {
  world.now = micros(friday);
  expect(await found('t:last@9999y')).toEqual(await found('t:<=now'));
  expect(await found('t:last@1999y')).toEqual(await found('t:<=now'));
});
