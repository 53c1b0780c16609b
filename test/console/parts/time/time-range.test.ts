import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  formatRange,
  inputTime,
  parseRange,
  presets,
  rangeAt,
  rangeBefore,
  rangeTitle,
  timeOfInput,
  timeText,
  type Zone,
  zoneText,
} from '../../../../src/console/parts/time/time-range.ts';

const { TZ } = process.env;
beforeAll(() => {
  process.env.TZ = 'Europe/Berlin';
});
afterAll(() => {
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

// A Sunday, at noon in UTC. Clocks in Berlin have gone back in this night.
const now = Date.parse('2026-10-25T12:00:00Z');

/** The times of a choice as texts. */
function timesOf(text: string, zone: Zone = 'utc'): readonly string[] | undefined {
  const choice = parseRange(text);
  if (choice === undefined) return undefined;
  const { from, to } = rangeAt(choice, now, zone);
  return [from, to].map((time) => new Date(time).toISOString().slice(0, 19));
}

test.each([
  ['15m', '2026-10-25T11:45:00', '2026-10-25T12:00:00'],
  ['7d', '2026-10-18T12:00:00', '2026-10-25T12:00:00'],
  ['today', '2026-10-25T00:00:00', '2026-10-25T12:00:00'],
  ['yesterday', '2026-10-24T00:00:00', '2026-10-25T00:00:00'],
  ['this-week', '2026-10-19T00:00:00', '2026-10-25T12:00:00'],
  ['last-week', '2026-10-12T00:00:00', '2026-10-19T00:00:00'],
  ['this-month', '2026-10-01T00:00:00', '2026-10-25T12:00:00'],
  ['last-month', '2026-09-01T00:00:00', '2026-10-01T00:00:00'],
  ['2026-01-01T00:00:00Z/2026-01-02T03:04:05.500Z', '2026-01-01T00:00:00', '2026-01-02T03:04:05'],
])('%s has its times in UTC', (text, from, to) => {
  expect(timesOf(text)).toEqual([from, to]);
});

test('days of the browser’s zone are as long as its clocks make them', () => {
  expect(timesOf('yesterday', 'local')).toEqual(['2026-10-23T22:00:00', '2026-10-24T22:00:00']);
  expect(timesOf('today', 'local')).toEqual(['2026-10-24T22:00:00', '2026-10-25T12:00:00']);
  expect(timesOf('last-week', 'local')).toEqual(['2026-10-11T22:00:00', '2026-10-18T22:00:00']);
});

test.each([
  '',
  '0m',
  '99999999d',
  '4000d',
  '1y',
  'now',
  'constructor',
  '2026-01-01/2026-01-02',
  '2026-01-02T00:00:00Z/2026-01-01T00:00:00Z',
  '2026-13-01T00:00:00Z/2026-14-01T00:00:00Z',
])('%j is no range', (text) => {
  expect(parseRange(text)).toBeUndefined();
});

test('a choice is read from its text again', () => {
  const fixed = '2026-01-01T00:00:00.000Z/2026-01-02T00:00:00.000Z';
  for (const text of [...presets, fixed]) {
    const choice = parseRange(text);
    expect(choice && formatRange(choice)).toBe(text);
  }
});

test('a choice has a title', () => {
  const title = (text: string, zone: Zone) => {
    const choice = parseRange(text);
    return choice && rangeTitle(choice, zone);
  };
  expect(title('1h', 'utc')).toBe('Last hour');
  expect(title('15m', 'utc')).toBe('Last 15 minutes');
  expect(title('this-month', 'utc')).toBe('This month');
  expect(title('2026-01-01T00:00:00Z/2026-01-02T00:00:00Z', 'local')).toBe(
    '2026-01-01 01:00 – 2026-01-02 01:00',
  );
});

test('the period before is as long, and ends where the range begins', () => {
  expect(rangeBefore({ from: 100, to: 130 })).toEqual({ from: 70, to: 100 });
});

describe('times in a zone', () => {
  test('are written in it', () => {
    expect(timeText(now, 'utc')).toBe('2026-10-25 12:00:00');
    expect(timeText(now, 'local', 'minute')).toBe('2026-10-25 13:00');
    expect(timeText(Number.NaN, 'utc')).toBe('–');
    expect(zoneText('utc', now)).toBe('UTC');
    expect(zoneText('local', now)).toBe('UTC+01:00');
  });

  test.each(['utc', 'local'] as const)('%s: an input gives back the time that it was given', (zone) => {
    for (const time of [now, now - 86_400_000 * 30]) {
      expect(timeOfInput(inputTime(time, zone), zone)).toBe(time);
    }
    expect(timeOfInput('', zone)).toBeNaN();
  });
});
