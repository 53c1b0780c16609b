import { expect, test } from 'vitest';
import { GroupCommit } from '../../../../../src/engines/duckdb/store/insert/group-commit.ts';
import type { IngestBatch } from '../../../../../src/engines/duckdb/store/insert/ingest-batch.ts';
import { ManualClock } from '../../../../calls/executor/support/manual-clock.ts';
import { makeSource } from '../support.ts';

const source = makeSource('logs');
const account = (key: string) => ({ key, subject: '' });

/** A batch of rows with so many characters. */
function batchOf(length: number, rows = 1): IngestBatch {
  const times = { minTimestamp: 0n, ranges: [] };
  return { source, parts: [{ rows, ids: [], text: 'x'.repeat(length) }], ...times };
}

/** A queue of requests, whose commits are told. */
function setUp(maxWaiting?: number, { commitMs = 0 } = {}) {
  const clock = new ManualClock();
  const commits: string[][] = [];
  const beginnings: number[] = [];
  let lastQuery: number | undefined;
  const names = new Map<IngestBatch, string>();
  const groups = new GroupCommit({
    clock,
    commit: async (batches) => {
      beginnings.push(clock.elapsed());
      commits.push(batches.map((batch) => names.get(batch) ?? ''));
      if (commitMs > 0) await new Promise<void>((resolve) => void clock.after(commitMs, resolve));
      return batches.map(() => ({ imported: 1, duplicates: 0 }));
    },
    mayRetry: () => false,
    lastQuery: () => lastQuery,
    maxWaiting,
  });
  const add = (key: string, name: string, length = 10, rows = 1) => {
    const batch = batchOf(length, rows);
    names.set(batch, name);
    return groups.add([batch], account(key));
  };
  const query = () => {
    lastQuery = clock.elapsed();
  };
  return { clock, groups, commits, beginnings, add, query };
}

test('a request of another key is in the next commit, however many requests of one key wait', async () => {
  const { clock, commits, add } = setUp();
  const rows = 10_000;
  const all = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => add('a', name, 100_000, rows));
  all.push(add('b', 'b1', 100_000, rows));
  await clock.advance(1000);
  await Promise.all(all);
  expect(commits).toEqual([
    ['a1', 'b1'],
    ['a2', 'a3'],
    ['a4', 'a5'],
  ]);
});

test('while too many rows wait, the newest request of the key with most is refused for one with fewer', async () => {
  const { clock, groups, commits, add } = setUp(100);
  const [a1, a2] = [add('a', 'a1', 40), add('a', 'a2', 40)];
  await expect(add('a', 'a3', 40)).rejects.toMatchObject({ code: 'OVERLOADED' });
  const b1 = add('b', 'b1', 30);
  await expect(a2).rejects.toMatchObject({ code: 'OVERLOADED' });
  await expect(add('b', 'b2', 40)).rejects.toMatchObject({ code: 'OVERLOADED' });
  expect(groups.waitingLength).toBe(70);
  await clock.advance(1000);
  await Promise.all([a1, b1]);
  expect(commits).toEqual([['a1', 'b1']]);
  expect(groups.waitingLength).toBe(0);
});

test('while queries run, commits are small', async () => {
  const { clock, commits, add, query } = setUp();
  const addAll = (names: string[]) => names.map((name) => add('a', name, 100, 1_000));
  query();
  const all = addAll(['a1', 'a2', 'a3']);
  await clock.advance(100);
  await Promise.all(all);
  await clock.advance(2_000);
  const later = addAll(['a4', 'a5', 'a6']);
  await clock.advance(100);
  await Promise.all(later);
  expect(commits).toEqual([['a1', 'a2'], ['a3'], ['a4', 'a5', 'a6']]);
});

test('a commit beside a query is followed by a pause of twice its duration', async () => {
  const { clock, beginnings, add, query } = setUp(undefined, { commitMs: 1_000 });
  const all = ['a1', 'a2', 'a3', 'a4'].map((name) => add('a', name, 100, 20_000));
  const began = clock.elapsed();
  query();
  await clock.advance(10_000);
  await Promise.all(all);
  expect(beginnings.map((at) => at - began)).toEqual([0, 3_000, 4_000, 5_000]);
});
