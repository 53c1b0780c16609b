import { expect, test } from 'vitest';
import { type RecordRow, RecordWriter } from '../../../src/calls/records/record-writer.ts';
import { ManualClock } from '../executor/support/manual-clock.ts';

/** A writer to a store that takes rows or refuses them. */
function writing({ maxWaiting = 100 } = {}) {
  const clock = new ManualClock();
  const stored: string[] = [];
  const batches: number[] = [];
  const warnings: string[] = [];
  const counts = { stored: 0, dropped: 0 };
  const store = { isDown: false };
  const writer = new RecordWriter({
    ...{ clock, maxWaiting },
    write: async (rows: readonly RecordRow[]) => {
      if (store.isDown) throw new Error('the disk is full');
      batches.push(rows.length);
      stored.push(...rows.map(({ id }) => id));
    },
    log: { warn: (message) => void warnings.push(message) },
    count: (outcome, rows) => {
      counts[outcome] += rows;
    },
  });
  const add = (...ids: readonly (string | number)[]) => {
    for (const id of ids) writer.add({ id: String(id) });
  };
  return { clock, stored, batches, warnings, counts, store, writer, add };
}

test('writes the rows of a second at once, in their order', async () => {
  const { clock, stored, batches, add } = writing();
  add(1, 2);
  await clock.advance(500);
  add(3);
  expect(stored).toEqual([]);
  await clock.advance(500);
  expect(stored).toEqual(['1', '2', '3']);
  add(4);
  await clock.advance(1000);
  expect(batches).toEqual([3, 1]);
});

test('keeps rows that can’t be stored, and stores them later', async () => {
  const { clock, stored, warnings, counts, store, add } = writing();
  store.isDown = true;
  add(1);
  await clock.advance(5_000);
  add(2);
  expect(stored).toEqual([]);
  store.isDown = false;
  await clock.advance(1_000);
  expect(stored).toEqual(['1', '2']);
  expect(counts).toEqual({ stored: 2, dropped: 0 });
  // Once a minute.
  expect(warnings).toEqual([
    'Records of calls can’t be stored, and wait: the disk is full'.replace('’', "'"),
  ]);
});

test('gives up the oldest rows rather than grow', async () => {
  const { clock, stored, counts, store, add } = writing({ maxWaiting: 10 });
  store.isDown = true;
  for (let id = 1; id <= 40; id++) {
    add(id);
    await clock.advance(1_000);
  }
  store.isDown = false;
  await clock.advance(2_000);
  expect(stored).toEqual(Array.from({ length: 10 }, (_, index) => String(31 + index)));
  expect(counts).toEqual({ stored: 10, dropped: 30 });
});

test('writes what waits when it is closed, and counts what it can’t store', async () => {
  const first = writing();
  first.add(1, 2);
  await first.writer.close();
  expect(first.stored).toEqual(['1', '2']);
  const second = writing();
  second.store.isDown = true;
  second.add(1, 2);
  await second.writer.close();
  expect(second.counts).toEqual({ stored: 0, dropped: 2 });
});

test('a row that can never be stored is given up, and keeps no other from being stored', async () => {
  const clock = new ManualClock();
  const stored: string[] = [];
  const counts = { stored: 0, dropped: 0 };
  const writer = new RecordWriter({
    clock,
    write: async (rows: readonly RecordRow[]) => {
      if (rows.some(({ id }) => id === 'bad')) throw new RangeError('Invalid string length');
      stored.push(...rows.map(({ id }) => id));
    },
    log: { warn() {} },
    count: (outcome, rows) => {
      counts[outcome] += rows;
    },
  });
  for (const id of ['1', '2', 'bad', '3', '4']) writer.add({ id });
  await clock.advance(20_000);
  expect(stored).toEqual(['1', '2', '3', '4']);
  expect(counts).toEqual({ stored: 4, dropped: 1 });
});

test('a row that comes after the end is dropped, and nothing is tried again', async () => {
  const { clock, stored, counts, writer, add } = writing();
  await writer.close();
  add(1);
  await clock.advance(60_000);
  expect(stored).toEqual([]);
  expect(counts).toEqual({ stored: 0, dropped: 1 });
});
