import { expect, test } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import type { Payer } from '../../../src/calls/access/caller/caller.ts';
import type { TableQuery } from '../../../src/calls/call/ad-hoc-query.ts';
import { type LiveOutcome, LiveResults } from '../../../src/calls/live/live-results.ts';
import { newPlan } from '../../../src/sql/plan/plan.ts';
import { callOf } from '../../support/call-of.ts';
import { callerNamed } from '../executor/support/caller.ts';
import { endpointWith } from '../executor/support/endpoint.ts';
import { settled } from '../executor/support/manual-clock.ts';
import { away, LiveBench, overBudget, TestWatcher } from './support.ts';

const columns = [{ name: 'n', type: { kind: 'INT64' } }] as const;

function planOf(...nodes: readonly object[]) {
  return newPlan({ isCallers: false, sql: '', statement: { nodes }, columns, parameters: new Map() });
}

const scanOf = (table: string) => ({ resolved_table_scan_node: { table: { full_name: `logs.${table}` } } });
const now = { resolved_function_call_node: { parent: { function: { name: 'ZetaSQL:current_timestamp' } } } };

const endpoint = endpointWith({ plan: planOf(scanOf('edge_logs')) });
const parameters = new Map([['project', 'a']]);
const call = callOf({ endpoint, parameters });

const projectCall = (project: string, payer: Payer) =>
  callOf({ endpoint, parameters: new Map([['project', project]]), payer });

/** A test bench whose answer is the number of the run. */
function counting(isTold = true) {
  const bench = new LiveBench();
  bench.answer = () => [[BigInt(bench.calls.length)]];
  const parts = { ...bench.parts, ...(isTold && { changes: bench.changes }) };
  return { bench, results: new LiveResults(parts) };
}

async function rowsOf(watcher: TestWatcher<LiveOutcome>) {
  return Promise.all(
    watcher.events.map(async (event) => ('rows' in event ? watcher.rowsOf(event) : String(event.error))),
  );
}

test('the present result comes at once, and the next when rows of a source have changed', async () => {
  const { bench, results } = counting();
  const watcher = new TestWatcher<LiveOutcome>();
  watcher.watch(results.watch(call, watcher));
  await bench.clock.advance(60_000);
  expect(await rowsOf(watcher)).toEqual([[[1n]]]);
  bench.changes.tell([{ source: 'auth_logs' }]);
  await bench.clock.advance(60_000);
  expect(bench.calls).toHaveLength(1);
  bench.changes.tell([{ source: 'edge_logs', since: 1n }]);
  await settled();
  expect(await rowsOf(watcher)).toEqual([[[1n]], [[2n]]]);
});

test('results come no more often than the interval, however often rows change', async () => {
  const { bench, results } = counting();
  const watcher = new TestWatcher<LiveOutcome>({ seconds: 10 });
  watcher.watch(results.watch(call, watcher));
  await settled();
  for (let second = 0; second < 60; second++) {
    bench.changes.tell([{ source: 'edge_logs' }]);
    await bench.clock.advance(1000);
  }
  expect(bench.calls.length).toBeLessThanOrEqual(7);
  expect(watcher.events.length).toBe(bench.calls.length);
});

test('what depends on the time is asked after each interval, and so is everything on engines that tell of no changes', async () => {
  for (const { isTold, plan } of [
    { isTold: true, plan: planOf(scanOf('edge_logs'), now) },
    { isTold: false, plan: planOf(scanOf('edge_logs')) },
  ]) {
    const { bench, results } = counting(isTold);
    const watcher = new TestWatcher<LiveOutcome>();
    watcher.watch(results.watch(callOf({ endpoint: endpointWith({ plan }), parameters }), watcher));
    await bench.clock.advance(14_000);
    expect(await rowsOf(watcher)).toEqual([[[1n]], [[2n]], [[3n]]]);
  }
});

test('a thousand who watch the same share each run', async () => {
  const { bench, results } = counting();
  const watchers = Array.from({ length: 1000 }, () => {
    const watcher = new TestWatcher<LiveOutcome>();
    return watcher.watch(results.watch(call, watcher));
  });
  await settled();
  bench.changes.tell([{ source: 'edge_logs' }]);
  await bench.clock.advance(5000);
  expect(bench.calls).toHaveLength(2);
  for (const watcher of watchers) expect(await rowsOf(watcher)).toEqual([[[1n]], [[2n]]]);
});

test('all who share a run have its rows counted, and those end who may have none', async () => {
  const { bench } = counting();
  const counted: string[] = [];
  const results = new LiveResults({
    ...{ ...bench.parts, changes: bench.changes },
    shareRows: ({ account: { key } }, rows) => {
      const name = key.replace('key ', '');
      counted.push(`${name} ${rows}`);
      if (name === 'poor') throw overBudget;
    },
  });
  const watch = (key: string) => {
    const watcher = new TestWatcher<LiveOutcome>();
    return watcher.watch(results.watch(projectCall('a', callerNamed(key)), watcher));
  };
  const watchers = ['payer', 'sharer', 'poor'].map(watch);
  await settled();
  expect(bench.calls).toHaveLength(1);
  // The one whose run it was has them counted by the executor.
  expect(counted).toEqual(['sharer 1', 'poor 1']);
  expect(watchers.map(({ ended }) => ended)).toEqual([undefined, undefined, overBudget]);
});

test('a slow reader gets the latest result only', async () => {
  const { bench, results } = counting();
  const watcher = new TestWatcher<LiveOutcome>();
  let release = () => {};
  const pace = () =>
    new Promise<void>((resolve) => {
      release = resolve;
    });
  watcher.watch(results.watch(call, watcher), pace);
  for (let round = 0; round < 5; round++) {
    await bench.clock.advance(5000);
    bench.changes.tell([{ source: 'edge_logs' }]);
  }
  await settled();
  release();
  await bench.clock.advance(5000);
  expect(await rowsOf(watcher)).toEqual([[[1n]], [[bench.calls.length].map(BigInt)]]);
});

test('a failed run is told, and followed by another', async () => {
  const { bench, results } = counting();
  const watcher = new TestWatcher<LiveOutcome>();
  watcher.watch(results.watch(call, watcher));
  await settled();
  bench.answer = () => Promise.reject(away);
  bench.changes.tell([{ source: 'edge_logs' }]);
  await bench.clock.advance(5000);
  bench.answer = () => [[7n]];
  await bench.clock.advance(10_000);
  expect(await rowsOf(watcher)).toEqual([[[1n]], String(away), [[7n]]]);
});

test('whoever has no budget left is left out, and the others go on', async () => {
  const { bench, results } = counting();
  bench.answer = ({ payer }) => {
    if (payer.key === 'poor') throw overBudget;
    return [[BigInt(bench.calls.length)]];
  };
  const [poor, rich] = ['poor', 'rich'].map((key) => {
    const watcher = new TestWatcher<LiveOutcome>();
    const own = callOf({ endpoint, parameters, payer: callerNamed(key) });
    return watcher.watch(results.watch(own, watcher));
  });
  for (let round = 0; round < 4; round++) {
    bench.changes.tell([{ source: 'edge_logs' }]);
    await bench.clock.advance(5000);
  }
  expect(poor?.ended).toBe(overBudget);
  expect(rich?.ended).toBeUndefined();
  expect(rich?.events.length).toBeGreaterThan(2);
});

test('rows of before the change are no answer to it', async () => {
  const { bench, results } = counting();
  const watcher = new TestWatcher<LiveOutcome>();
  watcher.watch(results.watch(call, watcher));
  await bench.clock.advance(7000);
  bench.changes.tell([{ source: 'edge_logs' }]);
  const changedAt = bench.clock.now();
  await settled();
  expect(bench.runs[1]?.notBefore).toBe(changedAt);
});

test('each watcher gets an error as its own key may see it, whoever paid for the run', async () => {
  const { bench, results } = counting();
  bench.answer = () => {
    throw new GatewayError('QUERY_FAILED', 'Bad value: 10.0.0.1', { withoutValues: 'A value is wrong' });
  };
  const restricted = callOf({ endpoint, parameters, caller: { projects: new Set(['a']) } });
  const redacted = callOf({ endpoint, parameters, caller: { redact: true } });
  const watchers = [restricted, redacted, call].map((each) => {
    const watcher = new TestWatcher<LiveOutcome>();
    return watcher.watch(results.watch(each, watcher));
  });
  // Each pays for a run.
  for (let run = 1; run <= 4; run++) {
    await bench.clock.advance(5_000);
    bench.changes.tell([{ source: 'edge_logs' }]);
  }
  expect(bench.calls.length).toBeGreaterThan(2);
  const shown = await Promise.all(watchers.map(async (each) => new Set((await rowsOf(each)).map(String))));
  expect(shown).toEqual([
    new Set(['GatewayError: A value is wrong']),
    new Set(['GatewayError: Bad value: REDACTED']),
    new Set(['GatewayError: Bad value: 10.0.0.1']),
  ]);
});

test('runs end with the last watcher', async () => {
  const { bench, results } = counting(false);
  const watcher = new TestWatcher<LiveOutcome>();
  watcher.watch(results.watch(call, watcher));
  await settled();
  expect(results.size).toBe(1);
  await watcher.leave();
  expect(results.size).toBe(0);
  await bench.clock.advance(60_000);
  expect(bench.calls).toHaveLength(1);
});

/** Watches a query for each of the accounts, `<key>` or `<key>/<subject>`. Returns the errors by account. */
async function watchAll(results: LiveResults, accounts: readonly string[]) {
  const watchers = accounts.map((name, index) => {
    const [key = '', subject = ''] = name.split('/');
    const payer = callerNamed(key, { account: { key: `key ${key}`, subject } });
    const watcher = new TestWatcher<LiveOutcome>();
    return watcher.watch(results.watch(projectCall(String(index), payer), watcher));
  });
  await settled();
  return watchers.map(({ ended }) => (ended instanceof GatewayError ? ended.code : ended));
}

test('more different queries than allowed are refused, or end for a key that has fewer', async () => {
  const { results } = counting();
  const [none, limited] = [undefined, 'RATE_LIMITED'];
  // The newest of "a" end for "b", until both have the same number; "c" gets one, too.
  const codes = await watchAll(results, [...'aaaaaaabbbbc']);
  expect(codes).toEqual([
    ...[none, none, limited, limited, limited, limited, limited],
    ...[none, none, none, limited, none],
  ]);
  expect(results.size).toBe(6);
  expect((await watchAll(results, [...'abcdef'])).at(-1)).toBe(none);
});

test('queries end for a subject of the same key that has fewer', async () => {
  const { results } = counting();
  const codes = await watchAll(results, ['a/x', 'a/x', 'a/x', 'a/x', 'b', 'b', 'a/y']);
  expect(codes).toEqual([undefined, undefined, undefined, 'RATE_LIMITED', undefined, undefined, undefined]);
});

test('a query that another key watches goes on for it, and counts for it', async () => {
  const { results } = counting();
  const watch = (key: string, project: string) => {
    const watcher = new TestWatcher<LiveOutcome>();
    return watcher.watch(results.watch(projectCall(project, callerNamed(key)), watcher));
  };
  const first = [1, 2, 3, 4, 5, 6].map((project) => watch('a', `${project}`));
  await settled();
  const shared = watch('b', '6');
  await settled();
  const other = watch('c', '7');
  await settled();
  expect(first.map(({ ended }) => ended !== undefined)).toEqual([false, false, false, false, true, true]);
  expect([shared.ended, other.ended]).toEqual([undefined, undefined]);
  expect(results.size).toBe(6);
});

test('streams of an endpoint that was replaced end', async () => {
  const { bench, results } = counting();
  const watcher = new TestWatcher<LiveOutcome>();
  watcher.watch(results.watch(call, watcher));
  await settled();
  bench.isServed = ({ version }) => version === 'v2';
  results.retain();
  await settled();
  expect(watcher.ended).toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
  expect(results.size).toBe(0);
});

test('a stream whose query was planned while its endpoint was replaced does not begin', async () => {
  const { bench, results } = counting();
  let served = true;
  const plan = Promise.withResolvers<TableQuery>();
  const parts = {
    isServed: () => served,
    adHocQueries: { known: () => undefined, plan: () => plan.promise },
  };
  const reads = { query: { language: 'sql', text: 'SELECT 1' } } as const;
  const watcher = new TestWatcher<LiveOutcome>();
  watcher.watch(results.watch(callOf({ endpoint, parameters, reads }, parts), watcher));
  await settled();
  served = false;
  plan.resolve({ canonical: 'one', plan: endpoint.plan, maxRows: 1, tables: [] });
  await settled();
  expect(watcher.ended).toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
  expect(bench.calls).toEqual([]);
});

test('between events, only the query is kept', async () => {
  const { bench, results } = counting();
  bench.answer = () => Array.from({ length: 100 }, () => ['x'.repeat(10_000)]);
  const { answers, live } = bench.budgets;
  const slow = Promise.withResolvers<void>();
  const [watcher, other] = [new TestWatcher<LiveOutcome>(), new TestWatcher<LiveOutcome>()];
  watcher.watch(results.watch(projectCall('a', callerNamed('a')), watcher), () => slow.promise);
  other.watch(results.watch(projectCall('a', callerNamed('b')), other));
  await settled();
  // One is being sent it.
  expect(answers.budget.bytesOf('key a')).toBeGreaterThan(1_000_000);
  expect(answers.budget.bytesOf('key b')).toBe(0);
  slow.resolve();
  await settled();
  expect(answers.budget.state.usedBytes).toBe(0);
  expect(live.budget.state.usedBytes).toBeGreaterThan(0);
  await watcher.leave();
  await other.leave();
  expect(live.budget.state.usedBytes).toBe(0);
});

test('one who joins later gets the result of a run at once, which others do not need', async () => {
  const { bench, results } = counting();
  const first = new TestWatcher<LiveOutcome>({ seconds: 3600 });
  first.watch(results.watch(call, first));
  await settled();
  const second = new TestWatcher<LiveOutcome>({ seconds: 3600 });
  second.watch(results.watch(projectCall('a', callerNamed('b')), second));
  await settled();
  expect(await rowsOf(second)).toEqual([[[2n]]]);
  expect(first.events).toHaveLength(1);
  expect(bench.calls.at(-1)?.payer.key).toBe('b');
});

test('a result that is larger than the memory ends its stream with the reason', async () => {
  const { bench, results } = counting();
  const text = 'x'.repeat(2_000_000);
  bench.answer = () => Array.from({ length: 600 }, () => [text]);
  const watcher = new TestWatcher<LiveOutcome>();
  watcher.watch(results.watch(call, watcher));
  await settled();
  expect(watcher.ended).toMatchObject({ code: 'QUERY_FAILED' });
  expect(bench.budgets.answers.budget.state).toMatchObject({ usedBytes: 0, refused: 1 });
  expect(bench.budgets.live.budget.state.usedBytes).toBe(0);
});

test('those who may read different numbers of bytes have runs of their own', async () => {
  const { bench, results } = counting();
  for (const maxScanBytes of [500, 2000, 500]) {
    const watcher = new TestWatcher<LiveOutcome>();
    watcher.watch(results.watch(projectCall('a', callerNamed('ada', { maxScanBytes })), watcher));
  }
  await settled();
  expect(bench.calls.map(({ payer }) => payer.maxScanBytes)).toEqual([500, 2000]);
});
