import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/console/api/json.ts';
import {
  type LogItem,
  logRow,
  noItems,
  withItems,
} from '../../../../src/console/pages/live/rows/log-item.ts';
import { bucketMs, Rates, spanMs } from '../../../../src/console/pages/live/rows/rates.ts';
import { WatchedRows } from '../../../../src/console/pages/live/tail/use-tail.ts';

const row = (number: number, characters = 1): LogItem => logRow({ number }, number, characters);
const numbers = (items: readonly LogItem[]) => items.map(({ number }) => number);

test('the newest rows are kept, and those who read older ones keep them', () => {
  const limits = { items: 3, characters: 1000 };
  const before = withItems(noItems, [row(1), row(2)], limits);
  const after = withItems(before, [row(3), row(4)], limits);
  expect(numbers(after.items)).toEqual([2, 3, 4]);
  expect([before.isCut, after.isCut]).toEqual([false, true]);
  expect(numbers(before.items)).toEqual([1, 2]);
});

test('large rows are fewer, but the newest one is always there', () => {
  const limits = { items: 100, characters: 10 };
  const some = withItems(noItems, [row(1, 4), row(2, 4), row(3, 4)], limits);
  expect(numbers(some.items)).toEqual([2, 3]);
  const huge = withItems(some, [row(4, 1_000_000)], limits);
  expect(numbers(huge.items)).toEqual([4]);
  expect(huge.characters).toBe(1_000_000);
  expect(numbers(withItems(huge, [row(5, 1)], limits).items)).toEqual([5]);
});

test('a row shows its time, its level and its message in one line', () => {
  const shown = logRow(
    { timestamp: '2026-01-02T03:04:05.678901Z', event_message: 'a\nb\u0000', metadata: [{ level: 'error' }] },
    7,
    10,
  );
  expect(shown).toMatchObject({
    number: 7,
    time: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
    level: { severity: 'error' },
    message: 'a↵b\\x00',
  });
  const other: JsonObject = { Message: 'text', TIMESTAMP: '2026-01-02T00:00:00Z' };
  expect(logRow(other, 1, 1)).toMatchObject({ message: 'text', time: Date.UTC(2026, 0, 2) });
  expect(logRow({ a: 1 }, 1, 1)).toMatchObject({ message: '{"a":1}', time: Number.NaN });
});

test('rates count rows by their time and level, and forget old ones', () => {
  const rates = new Rates();
  const now = Date.UTC(2026, 0, 1, 12, 0, 3);
  for (const [ago, severity] of [
    [0, 'error'],
    [1000, 'info'],
    [15_000, 'info'],
    [spanMs * 2, 'info'],
    [-spanMs * 2, 'info'],
    [Number.NaN, 'info'],
  ] as const) {
    rates.add(now - ago, severity, now);
  }
  const range = rates.rangeAt(now);
  expect(range).toEqual({ from: now - 3000 + bucketMs - spanMs, to: now - 3000 + bucketMs });
  const { times, series } = rates.dataOf(range);
  expect(times).toHaveLength(60);
  const of = (name: string) => series.find((each) => each.name === name)?.values.slice(-3);
  expect(of('error')).toEqual([0, 0, 1]);
  expect(of('info')).toEqual([1, 0, 1]);
});

test('nothing is known of the time before the rows that come first', () => {
  const now = Date.UTC(2026, 0, 1, 12);
  const loaded = (rows: number) => {
    const watched = new WatchedRows(
      () => now,
      () => {},
    );
    const times = Array.from({ length: rows }, (_, index) => new Date(now - index * 100).toISOString());
    watched.rows(
      times.map((timestamp) => ({ timestamp })),
      1,
    );
    // Later ones are all there.
    watched.rows(
      times.map((timestamp) => ({ timestamp })),
      1,
    );
    return { watched, span: watched.rates.loadedOf({ from: now - spanMs, to: now }) };
  };
  expect(loaded(0).span).toEqual({ from: now, to: now });
  expect(loaded(10).span).toEqual({ from: now - 900, to: now });
  const { watched, span } = loaded(1_000);
  expect(span).toEqual({ from: now - 99_900, to: now });
  watched.clear();
  expect(watched.rates.loadedOf({ from: now - spanMs, to: now + 1 })).toEqual({ from: now, to: now + 1 });
});

test('what a tail tells is counted, also what is not kept', () => {
  let changes = 0;
  const watched = new WatchedRows(
    () => Date.UTC(2026, 0, 1),
    () => {
      changes += 1;
    },
  );
  expect(watched.hasBegun).toBe(false);
  watched.rows([], 13);
  expect(watched.hasBegun).toBe(true);
  const many = Array.from({ length: 6000 }, () => ({ timestamp: '2026-01-01T00:00:00Z', level: 'info' }));
  watched.rows(many, 600_000);
  watched.skipped();
  watched.rows(many, 600_000);
  expect(watched.received).toBe(12_000);
  expect(watched.newest).toMatchObject({ isCut: true, characters: 999_900 });
  expect(watched.newest.items).toHaveLength(10_000);
  expect(watched.newest.items.filter(({ kind }) => kind === 'gap')).toHaveLength(1);
  watched.clear();
  expect(watched.newest.items).toEqual([]);
  expect(changes).toBe(5);
});
