import { expect, test } from 'vitest';
import {
  joinRanges,
  rangesOfTimes,
  type TimeRange,
} from '../../../../../src/engines/duckdb/store/insert/time-ranges.ts';

const minute = 60_000;

/** The ranges of rows at these times, in milliseconds since the epoch. */
const rangesAt = (times: readonly number[], madeTimes = false) =>
  rangesOfTimes(
    BigInt64Array.from(times, (time) => BigInt(time) * 1000n),
    madeTimes,
  );

const range = (from: number, to: number): TimeRange => ({
  from: BigInt(from) * 1000n,
  to: BigInt(to) * 1000n,
});

test('rows close in time are one range, and rows far apart are one each', () => {
  const day = 24 * 60 * minute;
  const times = [5 * day, 0, 5 * day + minute, 1000];
  expect(rangesAt(times)).toEqual([range(0, 1000), range(5 * day, 5 * day + minute)]);
});

test('a batch of rows close in time is searched from its first to its last', () => {
  const to = 30_000;
  expect(rangesAt([to, 0])).toEqual([{ from: 0n, to: BigInt(to) * 1000n }]);
  expect(rangesAt([to, 0], true)).toEqual([{ from: -600_000_000n, to: BigInt(to) * 1000n }]);
});

test('the eight ranges that remain of many are apart at the widest gaps', () => {
  // The gap before row i is 2 + i % 50 hours: the widest ones are before rows 49, 99, 149 and so on.
  const times = [0];
  for (let i = 1; i < 500; i++) times.push((times.at(-1) ?? 0) + (2 + (i % 50)) * 60 * minute);
  const shuffled = times.toSorted((a, b) => (a % 7) - (b % 7));
  const starts = [0, 199, 249, 299, 349, 399, 449, 499];
  const expected = starts.map((start, i) =>
    range(times[start] ?? 0, times[(starts[i + 1] ?? times.length) - 1] ?? 0),
  );
  expect(rangesAt(shuffled)).toEqual(expected);
});

test('times that are scattered over months are found in time that grows with their number, not its square', () => {
  const count = 100_000;
  // No two of them are within a minute.
  const times = Array.from({ length: count }, (_, i) => ((i * 7919) % count) * 2 * minute);
  const found = rangesAt(times);
  expect(found).toHaveLength(8);
  expect(found[0]?.from).toBe(0n);
  expect(found.at(-1)?.to).toBe(BigInt((count - 1) * 2 * minute) * 1000n);
});

test('the ranges of batches are joined where they meet', () => {
  const batches = [[range(0, minute), range(10 * minute, 11 * minute)], [range(90_000, 100_000)], []];
  expect(joinRanges(batches)).toEqual([range(0, 100_000), range(10 * minute, 11 * minute)]);
  expect(
    joinRanges([Array.from({ length: 100 }, (_, i) => range(i * 5 * minute, i * 5 * minute))]),
  ).toHaveLength(100);
  const many = Array.from({ length: 100 }, (_, i) => [range(i * 5 * minute, i * 5 * minute)]);
  expect(joinRanges(many)).toHaveLength(8);
});
