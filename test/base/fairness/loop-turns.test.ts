import { expect, test } from 'vitest';
import { LoopTurns } from '../../../src/base/fairness/loop-turns.ts';

const account = (key: string, subject = '') => ({ key, subject });

/** The turns of an event loop, and the requests that began in each of its iterations, in order. */
function setUp() {
  let now = 0;
  let later: (() => void)[] = [];
  const turns = new LoopTurns({ elapsed: () => now, afterEvents: (act) => void later.push(act) });
  let begun: string[] = [];
  const request = async (key: string, name: string, ms: number) => {
    const turn = turns.take(account(key));
    if (turn !== undefined) await turn;
    now += ms;
    begun.push(name);
  };
  /** The functions of one iteration, with the reactions of each, as `setImmediate` calls them. */
  const iterate = async () => {
    const due = later;
    later = [];
    for (const act of due) {
      act();
      for (let reaction = 0; reaction < 5; reaction++) await undefined;
    }
    const now = begun;
    begun = [];
    return now;
  };
  return { turns, request, iterate };
}

test('requests begin at once while the event loop is idle', () => {
  const { turns } = setUp();
  for (let count = 0; count < 1000; count++) expect(turns.take(account('a'))).toBeUndefined();
});

test('while one key keeps it busy, another begins before all that wait, and other work comes in between', async () => {
  const { request, iterate } = setUp();
  for (let number = 0; number < 50; number++) void request('a', `a${number}`, 10);
  void request('b', 'b0', 1);
  expect(await iterate()).toEqual(['a0', 'a1']);
  void request('b', 'b1', 1);
  expect((await iterate()).slice(0, 2)).toEqual(['b0', 'b1']);
  let last: string[] = [];
  for (let count = 0; count < 60; count++) {
    const begun = await iterate();
    expect(begun.length).toBeLessThanOrEqual(2);
    if (begun.length > 0) last = begun;
  }
  expect(last).toContain('a49');
});

test('many small requests begin in one iteration', async () => {
  const { request, iterate } = setUp();
  void request('a', 'long', 10);
  for (let number = 0; number < 20; number++) void request('a', `a${number}`, 0.1);
  expect((await iterate()).length).toBeGreaterThan(10);
});
