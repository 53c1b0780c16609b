import { expect, test } from 'vitest';
import type { IngestBatch } from '../../../../../src/engines/duckdb/store/insert/ingest-batch.ts';
import { type TimeRange, timeRanges } from '../../../../../src/engines/duckdb/store/insert/time-ranges.ts';
import { ingestBatch } from '../ingest-batches.ts';
import { makeSource } from '../support.ts';

const source = makeSource('s');
const minute = 60_000;

/** A batch of rows at these times, in milliseconds since the epoch. */
const batchAt = (times: readonly number[], more: Partial<IngestBatch> = {}) =>
  ingestBatch(
    source,
    times.map((time, i) => ({ id: String(i), timestamp: new Date(time).toISOString() })),
    more,
  );

/** A row's time has no microseconds, so any of its millisecond's are searched. */
const range = (from: number, to: number): TimeRange => ({
  from: BigInt(from) * 1000n,
  to: BigInt(to) * 1000n + 999n,
});

test('rows close in time are one range, and rows far apart are one each', () => {
  const day = 24 * 60 * minute;
  const times = [5 * day, 0, 5 * day + minute, 1000];
  expect(timeRanges([batchAt(times)])).toEqual([range(0, 1000), range(5 * day, 5 * day + minute)]);
});

test('a batch of rows close in time is searched from its first to its last', () => {
  const to = 30_000;
  expect(timeRanges([batchAt([to, 0])])).toEqual([{ from: 0n, to: BigInt(to) * 1000n }]);
  expect(timeRanges([batchAt([to, 0], { madeTimes: true })])).toEqual([
    { from: -600_000_000n, to: BigInt(to) * 1000n },
  ]);
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
  expect(timeRanges([batchAt(shuffled)])).toEqual(expected);
});

test('times that are scattered over months are found in time that grows with their number, not its square', () => {
  const count = 100_000;
  // No two of them are within a minute.
  const times = Array.from({ length: count }, (_, i) => ((i * 7919) % count) * 2 * minute);
  const found = timeRanges([batchAt(times)]);
  expect(found).toHaveLength(8);
  expect(found[0]?.from).toBe(0n);
  expect(found.at(-1)?.to).toBe(BigInt((count - 1) * 2 * minute) * 1000n + 999n);
});
