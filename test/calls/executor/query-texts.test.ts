import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import { ownAccount } from '../../../src/base/fairness/account.ts';
import type { AdHocQueries, TableQuery } from '../../../src/calls/call/ad-hoc-query.ts';
import { onlySeeker } from '../../../src/calls/executor/flights/seekers.ts';
import type { EndpointTable } from '../../../src/definitions/endpoints/endpoint.ts';
import { callOf } from '../../support/call-of.ts';
import { callerNamed } from './support/caller.ts';
import { endpointWith } from './support/endpoint.ts';
import { settled } from './support/manual-clock.ts';
import { type SetUpParts, setUp } from './support/setup.ts';

const uncached = endpointWith({ cacheSeconds: 0 });
const gone = new Error('the caller has left');
const overloaded = { code: 'OVERLOADED', details: { retryAfterSeconds: expect.any(Number) } };
const mistake = new GatewayError('BAD_USER_INPUT', 'Unrecognized name: x');
/** A table that a key that is bound to projects may not read. */
const unbound: EndpointTable = { name: 'all', plan: uncached.plan, boundBy: new Set() };

interface Asked {
  readonly text?: string;
  readonly endpoint?: typeof uncached;
  readonly signal?: AbortSignal;
  readonly isForbidden?: boolean;
  readonly known?: TableQuery;
  readonly key?: string;
  /** Whether the work on the plan goes on when it is cancelled. */
  readonly isSlowToEnd?: boolean;
}

/** One permit and nobody may wait, unless the settings say otherwise; plans are there when the test says so. */
function world({ settings, ...parts }: SetUpParts = {}) {
  const set = setUp({ settings: { maxConcurrentQueries: 1, maxQueuedQueries: 0, ...settings }, ...parts });
  const plans: { readonly text: string; succeed(canonical?: string): void; fail(error: unknown): void }[] =
    [];
  const queryOf = (canonical: string): TableQuery => ({
    canonical,
    plan: uncached.plan,
    maxRows: 10,
    tables: [unbound],
  });
  const call = ({
    text = 'select 1',
    endpoint = uncached,
    isForbidden,
    known,
    key,
    isSlowToEnd,
  }: Asked = {}) => {
    const adHocQueries: AdHocQueries = {
      known: () => known,
      plan(_endpoint, { text }, _account, signal) {
        const { promise, resolve, reject } = Promise.withResolvers<TableQuery>();
        const succeed = (canonical = 'the key') => resolve(queryOf(canonical));
        plans.push({ text, succeed, fail: reject });
        if (!isSlowToEnd) signal.addEventListener('abort', () => reject(signal.reason));
        return promise;
      },
    };
    return callOf(
      {
        endpoint: { ...endpoint, tables: [unbound] },
        parameters: new Map([['project', 'a']]),
        reads: { query: { language: 'sql', text } },
        ...(key !== undefined && { payer: callerNamed(key) }),
        ...(isForbidden && { caller: { projects: new Set(['a']) } }),
      },
      { adHocQueries },
    );
  };
  const runOf = ({ signal = new AbortController().signal }: Asked = {}) => ({ signal });
  return {
    ...set,
    permits: set.executor.permits,
    plans,
    queryOf,
    askText(asked?: Asked) {
      const answer = set.executor.execute(call(asked), runOf(asked));
      // It may fail before the test looks at it.
      answer.catch(() => {});
      return answer;
    },
    streamText: (asked?: Asked) => set.executor.stream(call(asked), runOf(asked), async () => {}),
    estimateText: (asked?: Asked) => set.executor.estimate(call(asked), runOf(asked)),
    /** Holds a permit until the test is done with it. */
    hold: () => set.executor.permits.take(onlySeeker(undefined, new AbortController().signal)),
  };
}

async function codesOf(calls: readonly Promise<unknown>[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(calls);
  return outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'answered' : outcome.reason.code));
}

describe('a hundred callers with the same text', () => {
  it('are planned once and run once, with one permit', async () => {
    const { askText, plans, engine, permits } = world();
    const calls = Array.from({ length: 100 }, () => askText());
    await settled();
    expect(plans).toHaveLength(1);
    plans[0]?.succeed();
    await settled();
    expect([engine.runs.length, permits.taken]).toEqual([1, 1]);
    engine.latest.succeed([[7n]]);
    const results = await Promise.all(calls);
    expect(await results[99]?.rows.all()).toEqual([[7n]]);
    expect(results.filter(({ cache }) => cache.collapsed)).toHaveLength(99);
    expect(permits.taken).toBe(0);
  });

  it('are one in the queue', async () => {
    const { askText, plans, hold, permits } = world({ settings: { maxQueuedQueries: 2 } });
    await hold();
    for (let i = 0; i < 100; i++) askText();
    await settled();
    expect(plans).toHaveLength(0);
    expect(permits.refusal(ownAccount)).toBeUndefined();
    askText({ text: 'select 2' });
    await settled();
    expect(permits.refusal(ownAccount)).toMatchObject(overloaded);
  });

  it('share a mistake of the query, and the permit is given back', async () => {
    const { askText, plans, permits } = world();
    const calls = Array.from({ length: 3 }, () => askText());
    await settled();
    plans[0]?.fail(mistake);
    expect(await codesOf(calls)).toEqual(['BAD_USER_INPUT', 'BAD_USER_INPUT', 'BAD_USER_INPUT']);
    expect([plans.length, permits.taken]).toEqual([1, 0]);
  });
});

describe('when no more may wait', () => {
  it('another text is refused, and the same one joins, while it is planned and while it runs', async () => {
    const { askText, plans, engine } = world();
    const first = askText();
    await settled();
    await expect(askText({ text: 'select 2' })).rejects.toMatchObject(overloaded);
    const second = askText();
    plans[0]?.succeed();
    await settled();
    const third = askText();
    await expect(askText({ text: 'select 2' })).rejects.toMatchObject(overloaded);
    await settled();
    engine.latest.succeed([[7n]]);
    expect(await codesOf([first, second, third])).toEqual(['answered', 'answered', 'answered']);
    expect([plans.length, engine.runs.length]).toEqual([1, 1]);
  });

  it('a text whose plan is at hand joins the run of the same query', async () => {
    const { askText, plans, engine, queryOf } = world();
    const first = askText();
    await settled();
    plans[0]?.succeed();
    await settled();
    const second = askText({ text: 'SELECT  1', known: queryOf('the key') });
    await expect(askText({ text: 'select 2', known: queryOf('other') })).rejects.toMatchObject(overloaded);
    await settled();
    engine.latest.succeed([[7n]]);
    expect(await codesOf([first, second])).toEqual(['answered', 'answered']);
  });

  it('what is in the cache is answered', async () => {
    const cached = endpointWith();
    const { ask, askText, hold, engine, queryOf } = world();
    engine.answer = () => [[1n]];
    await ask(cached);
    await askText({ endpoint: cached, known: queryOf('k') });
    await hold();
    await expect(ask(cached, { project: 'b' })).rejects.toMatchObject(overloaded);
    expect((await ask(cached)).cache.status).toBe('hit');
    expect((await askText({ endpoint: cached, known: queryOf('k') })).cache.status).toBe('hit');
  });
});

describe('a text that is found to ask what', () => {
  it('runs already joins that run, and gives its permit back', async () => {
    const { askText, plans, engine, permits } = world({ settings: { maxConcurrentQueries: 2 } });
    const calls = [askText(), askText({ text: 'SELECT 1' })];
    await settled();
    expect(permits.taken).toBe(2);
    plans[0]?.succeed();
    await settled();
    plans[1]?.succeed();
    await settled();
    expect([engine.runs.length, permits.taken]).toEqual([1, 1]);
    engine.latest.succeed([[7n]]);
    expect(await codesOf(calls)).toEqual(['answered', 'answered']);
    expect(permits.taken).toBe(0);
  });

  it('is in the cache by then is answered from there, and gives its permit back', async () => {
    const { askText, plans, engine, permits, queryOf } = world();
    const endpoint = endpointWith();
    engine.answer = () => [[1n]];
    await askText({ endpoint, known: queryOf('the key') });
    const call = askText({ endpoint });
    await settled();
    plans[0]?.succeed();
    expect((await call).cache.status).toBe('hit');
    expect([engine.runs.length, permits.taken]).toEqual([1, 0]);
  });

  it('another replica makes gives its permit back meanwhile', async () => {
    const endpoint = endpointWith();
    let isTaken = true;
    const wrapStore: NonNullable<SetUpParts['wrapStore']> = (store) => ({
      ...store,
      get: async () => undefined,
      set: async () => true,
      onInvalidate: () => {},
      invalidate: async () => 0,
      lease: async () => (isTaken ? 'taken' : undefined),
    });
    const { askText, plans, engine, permits, clock } = world({ wrapStore });
    const call = askText({ endpoint });
    await settled();
    plans[0]?.succeed();
    await settled();
    expect([engine.runs.length, permits.taken]).toEqual([0, 0]);
    isTaken = false;
    await clock.advance(25);
    expect([engine.runs.length, permits.taken]).toEqual([1, 1]);
    engine.latest.succeed([[7n]]);
    expect(await codesOf([call])).toEqual(['answered']);
  });
});

describe('a caller that may not run a query', () => {
  it('is refused, and others with the same text are answered', async () => {
    const { askText, plans, engine, permits } = world();
    const calls = [askText({ isForbidden: true }), askText(), askText({ isForbidden: true })];
    await settled();
    plans[0]?.succeed();
    await settled();
    engine.latest.succeed([[7n]]);
    expect(await codesOf(calls)).toEqual(['FORBIDDEN', 'answered', 'FORBIDDEN']);
    expect(permits.taken).toBe(0);
  });

  it('has nothing run', async () => {
    const { askText, plans, engine, permits, queryOf } = world();
    const call = askText({ isForbidden: true });
    await settled();
    plans[0]?.succeed();
    const known = askText({ isForbidden: true, known: queryOf('k') });
    expect(await codesOf([call, known])).toEqual(['FORBIDDEN', 'FORBIDDEN']);
    expect([engine.runs.length, permits.taken]).toEqual([0, 0]);
  });
});

describe('a caller that leaves', () => {
  it('before there is a permit has nothing planned', async () => {
    const { askText, plans, hold, permits } = world({ settings: { maxQueuedQueries: 1 } });
    const held = await hold();
    const leaving = new AbortController();
    const call = askText({ signal: leaving.signal });
    await settled();
    leaving.abort(gone);
    await expect(call).rejects.toBe(gone);
    held[Symbol.dispose]();
    await settled();
    expect([plans.length, permits.taken]).toEqual([0, 0]);
  });

  it('while it is planned has the planning ended, and the permit is given back', async () => {
    const { askText, plans, engine, permits } = world();
    const leaving = new AbortController();
    const call = askText({ signal: leaving.signal });
    await settled();
    leaving.abort(gone);
    await expect(call).rejects.toBe(gone);
    await settled();
    expect([plans.length, engine.runs.length, permits.taken]).toEqual([1, 0, 0]);
  });

  it('keeps the permit until the work on its plan has ended: the plan of another key begins then', async () => {
    const { askText, plans, permits } = world({ settings: { maxQueuedQueries: 1 } });
    const leaving = new AbortController();
    const call = askText({ signal: leaving.signal, key: 'a', isSlowToEnd: true });
    await settled();
    leaving.abort(gone);
    await expect(call).rejects.toBe(gone);
    const other = askText({ text: 'select 2', key: 'b' });
    await settled();
    expect(plans.map(({ text }) => text)).toEqual(['select 1']);
    expect(permits.state).toMatchObject({ running: 1, waiting: 1 });
    plans[0]?.fail(gone);
    await settled();
    expect(plans.map(({ text }) => text)).toEqual(['select 1', 'select 2']);
    plans[1]?.fail(mistake);
    expect(await codesOf([other])).toEqual(['BAD_USER_INPUT']);
    expect(permits.taken).toBe(0);
  });

  it('while its export is planned keeps the permit until the work on its plan has ended', async () => {
    const { streamText, plans, permits } = world();
    const leaving = new AbortController();
    const call = streamText({ signal: leaving.signal, isSlowToEnd: true });
    call.catch(() => {});
    await settled();
    leaving.abort(gone);
    await expect(call).rejects.toBe(gone);
    expect([plans.length, permits.taken]).toEqual([1, 1]);
    plans[0]?.fail(gone);
    await settled();
    expect(permits.taken).toBe(0);
  });

  it('in the moment when the plan is there keeps no permit', async () => {
    const { askText, plans, permits } = world();
    const leaving = new AbortController();
    const call = askText({ signal: leaving.signal });
    await settled();
    plans[0]?.succeed();
    for (let turn = 0; turn < 4; turn++) await Promise.resolve();
    leaving.abort(gone);
    await expect(call).rejects.toBe(gone);
    await settled();
    expect(permits.taken).toBe(0);
  });

  it('while it runs has the run ended, and the permit is given back', async () => {
    const { askText, plans, engine, permits } = world();
    const leaving = new AbortController();
    const call = askText({ signal: leaving.signal });
    await settled();
    plans[0]?.succeed();
    await settled();
    leaving.abort(gone);
    await expect(call).rejects.toBe(gone);
    await settled();
    expect([engine.latest.isAborted, permits.taken]).toEqual([true, 0]);
  });

  it('disturbs no other', async () => {
    const { askText, plans, engine } = world();
    const leaving = new AbortController();
    const calls = [askText({ signal: leaving.signal }), askText()];
    await settled();
    leaving.abort(gone);
    plans[0]?.succeed();
    await settled();
    engine.latest.succeed([[7n]]);
    await expect(calls[0]).rejects.toBe(gone);
    expect((await calls[1])?.cache.collapsed).toBe(false);
  });
});

it('the time of an endpoint counts from the call on, planning included', async () => {
  const { askText, plans, engine, permits, clock } = world();
  const endpoint = endpointWith({ cacheSeconds: 0, timeoutSeconds: 2 });
  const first = askText({ endpoint });
  await clock.advance(1_500);
  plans[0]?.succeed();
  await settled();
  expect(engine.latest.request.timeoutMs).toBe(500);
  const codes = codesOf([first]);
  await clock.advance(500);
  expect(await codes).toEqual(['QUERY_TIMEOUT']);
  const second = codesOf([askText({ endpoint })]);
  await clock.advance(2_000);
  expect(await second).toEqual(['QUERY_TIMEOUT']);
  plans[1]?.succeed();
  await settled();
  expect([engine.runs.length, permits.taken]).toEqual([1, 0]);
});

it('a run that fails gives the permit back under which it was planned', async () => {
  const { askText, plans, engine, permits } = world();
  const call = askText();
  await settled();
  plans[0]?.succeed();
  await settled();
  engine.latest.fail(new GatewayError('QUERY_FAILED', 'Division by zero'));
  expect(await codesOf([call])).toEqual(['QUERY_FAILED']);
  expect(permits.taken).toBe(0);
});

describe('an estimate of a text', () => {
  it('takes one permit for planning and asking', async () => {
    const { estimateText, plans, engine, permits } = world();
    const estimate = estimateText();
    await settled();
    expect(permits.taken).toBe(1);
    plans[0]?.succeed();
    expect(await estimate).toEqual(engine.estimated);
    expect(permits.taken).toBe(0);
  });

  it('that nobody waits for any more is let go at once, and asks nothing', async () => {
    const { estimateText, plans, engine, permits } = world();
    const leaving = new AbortController();
    const estimate = estimateText({ signal: leaving.signal });
    await settled();
    leaving.abort(gone);
    await expect(estimate).rejects.toBe(gone);
    plans[0]?.succeed();
    await settled();
    expect([engine.estimates.length, permits.taken]).toEqual([0, 0]);
  });

  it('that the caller may not have gives the permit back', async () => {
    const { estimateText, plans, permits } = world();
    const estimate = estimateText({ isForbidden: true });
    await settled();
    plans[0]?.succeed();
    await expect(estimate).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(permits.taken).toBe(0);
  });
});

it('a flood of texts that are planned slowly ends with an overload, not with a timeout', async () => {
  const { askText, plans, clock, executor } = world({
    settings: { requestTimeoutMs: 10_000, maxConcurrentQueries: 1_000, maxQueuedQueries: 1_000 },
  });
  const ended: string[] = [];
  const ask = (number: number) =>
    void askText({ text: `select ${number}` }).catch(({ code }) => ended.push(code));
  for (let number = 0; number < 300; number++) ask(number);
  await clock.advance(4_000);
  expect(ended).toEqual([]);
  // Its wait is known to be too long.
  ask(1_000);
  await settled();
  expect(ended).toEqual(['OVERLOADED']);
  const { waiting } = executor.planningPermits.state;
  expect(waiting).toBeGreaterThan(100);
  await clock.advance(5_000);
  expect(new Set(ended)).toEqual(new Set(['OVERLOADED']));
  expect(ended).toHaveLength(301 - plans.length);
  expect(executor.planningPermits.state.waiting).toBe(0);
});
