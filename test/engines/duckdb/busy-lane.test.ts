import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, expect, test, vi } from 'vitest';
import { BusyLane, BusyWork } from '../../../src/engines/duckdb/busy-lane.ts';
import { DuckDbEngine } from '../../../src/engines/duckdb/duckdb-engine.ts';
import type { IsFlatOnly } from '../../../src/engines/duckdb/store/list-tables.ts';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import { newPlan } from '../../../src/sql/plan.ts';
import { resultColumns } from '../../../src/sql/resolved/result-columns.ts';

const never = new AbortController().signal;

function laneAt() {
  const clock = { now: 0 };
  const lane = new BusyLane(() => clock.now);
  /** Whether a query that has been busy for long is told to give way. */
  const asked = (work = lane.newWork()) => ({ work, mustGiveWay: work.mustGiveWay(0, 150, 300) });
  return { clock, lane, asked };
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('of several queries whose functions keep the event loop busy, all but the first give way', () => {
  const { lane, asked } = laneAt();
  const first = asked();
  expect(first.mustGiveWay).toBe(false);
  const second = asked();
  expect(second.mustGiveWay).toBe(true);
  expect(second.work.hasGivenWay).toBe(true);
  expect(asked(first.work).mustGiveWay).toBe(false);
  lane.release(first.work);
  expect(asked().mustGiveWay).toBe(false);
});

test('who has done little is let be, and so is everybody while the event loop gets to other things', () => {
  const { lane, asked } = laneAt();
  asked();
  const work = lane.newWork();
  expect(work.mustGiveWay(50, 149, 300)).toBe(false);
  expect(work.mustGiveWay(0, 150, 199)).toBe(false);
  work.did(0, 60);
  expect(work.mustGiveWay(100, 140, 200)).toBe(true);
});

test('who gave way gets the lane in turn; who leaves meanwhile, or has left, does not', async () => {
  const { lane, asked } = laneAt();
  const first = asked().work;
  const got: string[] = [];
  const wait = async (name: string, signal = never) => {
    const { work } = asked();
    await lane.wait(work, signal).catch((reason) => got.push(`${name}: ${reason}`));
    if (!signal.aborted) got.push(name);
    return work;
  };
  const leaving = new AbortController();
  const second = wait('second');
  const leaver = wait('leaver', leaving.signal);
  const third = wait('third');
  leaving.abort('gone');
  await leaver;
  await wait('left', leaving.signal);
  expect(got).toEqual(['leaver: gone', 'left: gone']);
  lane.release(first);
  expect((await second).hasGivenWay).toBe(false);
  expect(got.slice(2)).toEqual(['second']);
  lane.release(await second);
  lane.release(await third);
  expect(got.slice(2)).toEqual(['second', 'third']);
  await lane.wait(lane.newWork(), never);
});

test('one that does other things for now is not waited for', async () => {
  vi.useFakeTimers();
  const { clock, lane, asked } = laneAt();
  const holder = asked().work;
  holder.did(0, 400);
  let hasLane = false;
  void lane.wait(asked().work, never).then(() => {
    hasLane = true;
  });
  clock.now = 900;
  await vi.advanceTimersByTimeAsync(100);
  expect(hasLane).toBe(false);
  clock.now = 901;
  await vi.advanceTimersByTimeAsync(100);
  expect(hasLane).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test('a query that gave way runs anew, and gives what it gives', async () => {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const analyzer = await Analyzer.start();
  let now = 0;
  const elapsed = () => (now += 60);
  const lane = new BusyLane(elapsed);
  const other = lane.newWork();
  lane.take(other);
  const ended: string[] = [];
  const firstEnded = Promise.withResolvers<void>();
  const store = {
    connect: () => instance.connect(),
    read: async <T>(_: unknown, task: (isFlatOnly: IsFlatOnly) => Promise<T>) => {
      try {
        const result = await task(() => false);
        ended.push('whole');
        return result;
      } catch (error) {
        ended.push(String(error));
        throw error;
      } finally {
        firstEnded.resolve();
      }
    },
  };
  const did = vi.spyOn(BusyWork.prototype, 'did');
  const engine = await DuckDbEngine.open({ store, now: () => 0n, elapsed, lane });
  const sql = "SELECT MAX(SOUNDEX(CONCAT('a', CAST(n AS STRING)))) FROM UNNEST(GENERATE_ARRAY(1, 20)) AS n";
  const statement = await analyzer.analyze(sql, { catalog: { tables: [] }, parameters: new Map() });
  const plan = newPlan({ sql, statement, columns: resultColumns(statement), parameters: new Map() });
  const running = engine.run({ plan, parameters: new Map(), maxRows: 10, signal: never });
  await firstEnded.promise;
  expect(ended).toEqual([expect.stringContaining('Gives way')]);
  lane.release(other);
  expect(await (await running).rows.all()).toEqual([['a000']]);
  expect(ended.slice(1)).toEqual(['whole']);
  for (const [from, to] of did.mock.calls) expect(to).toBeGreaterThan(from);
  expect(did.mock.calls.length).toBeGreaterThanOrEqual(2);
  // It has left the lane.
  expect(lane.take(lane.newWork())).toBe(true);
  await engine.close();
  await analyzer.close();
  instance.closeSync();
});
