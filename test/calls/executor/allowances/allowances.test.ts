import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../../src/base/errors/errors.ts';
import type { Payer } from '../../../../src/calls/access/caller/caller.ts';
import { Ledger } from '../../../../src/calls/executor/allowances/ledger.ts';
import type { RunProgress } from '../../../../src/calls/executor/executor.ts';
import type { Endpoint } from '../../../../src/definitions/endpoints/endpoint.ts';
import { columnsOfRows } from '../../../../src/sql/columns/columns-of-rows.ts';
import { callOf } from '../../../support/call-of.ts';
import { callerNamed } from '../support/caller.ts';
import { endpointWith } from '../support/endpoint.ts';
import { ManualClock, settled } from '../support/manual-clock.ts';
import { type SetUpParts, setUp } from '../support/setup.ts';

const exhausted = { code: 'ALLOWANCE_EXHAUSTED', status: 429 };

/** Runs are answered at once with two rows, unless the test says otherwise. */
function answering(settings: Partial<Endpoint> = {}, parts: SetUpParts = {}) {
  const set = setUp(parts);
  set.engine.answer = () => [[1n], [2n]];
  const endpoint = endpointWith({ cacheSeconds: 60, ...settings });
  const ask = (project: string, caller?: Payer, signal?: AbortSignal) =>
    set.ask(endpoint, { project }, signal, caller);
  const left = ({ spenders }: Payer) => set.executor.allowances.rateLimits(spenders).left;
  return { ...set, endpoint, ask, left };
}

it('of rows counts those of a run that someone else pays for, until none are left', () => {
  const { executor, left } = answering();
  const ada = callerNamed('ada', { allow: ['rows=3/day'] });
  executor.allowances.shareRows(ada, 2);
  expect(left(ada)).toBe('"rows-day";r=1;t=86400');
  executor.allowances.shareRows(ada, 2);
  expect(() => executor.allowances.shareRows(ada, 1)).toThrow(expect.objectContaining(exhausted));
});

describe('an allowance of calls', () => {
  const ada = callerNamed('ada', { allow: ['calls=3/day'] });

  it('counts calls that the cache answers, and refuses them, too, until the period ends', async () => {
    const { ask, engine, counted, clock, left } = answering();
    for (let calls = 0; calls < 3; calls++) await ask('a', ada);
    expect(engine.runs).toHaveLength(1);
    expect(left(ada)).toBe('"calls-day";r=0;t=86400');
    await clock.advance(1_000);
    await expect(ask('a', ada)).rejects.toMatchObject({
      ...exhausted,
      message: 'The key "ada" has used 3 of its 3 calls a day. It has more from 2026-01-02T00:00:00Z.',
      details: { retryAfterSeconds: 86_399 },
    });
    expect(counted).toContain('spent key calls');
    await clock.advance(86_399_000);
    await ask('a', ada);
  });

  it('takes nothing from other keys', async () => {
    const { ask } = answering();
    for (let calls = 0; calls < 3; calls++) await ask('a', ada);
    await ask('a', callerNamed('bob', { allow: ['calls=3/day'] }));
    await ask('a');
  });

  it('admits exactly as many of concurrent calls', async () => {
    const { ask } = answering();
    const calls = await Promise.allSettled(['a', 'b', 'c', 'd', 'a', 'e'].map((each) => ask(each, ada)));
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  });

  it('counts calls that fail or whose clients leave, and none that the gateway refuses', async () => {
    const { ask, engine, left } = answering();
    engine.answer = () => {
      throw new GatewayError('OVERLOADED', 'no memory');
    };
    await expect(ask('a', ada)).rejects.toMatchObject({ code: 'OVERLOADED' });
    expect(left(ada)).toContain(';r=3;');
    engine.answer = () => {
      throw new GatewayError('QUERY_FAILED', 'division by zero');
    };
    await expect(ask('a', ada)).rejects.toMatchObject({ code: 'QUERY_FAILED' });
    expect(left(ada)).toContain(';r=2;');
    engine.answer = undefined;
    const leaving = new AbortController();
    const gone = ask('b', ada, leaving.signal);
    await settled();
    leaving.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    expect(left(ada)).toContain(';r=1;');
  });

  it('is spent by tokens beside their own', async () => {
    const { ask } = answering();
    const issuer = callerNamed('frontend', { allow: ['calls=3/hour'] });
    const bearer = (name: string) => callerNamed(name, { allow: ['calls=2/hour'], issuer });
    await ask('a', bearer('token:alice'));
    await ask('a', bearer('token:alice'));
    await expect(ask('a', bearer('token:alice'))).rejects.toThrow('"token:alice" has used 2 of its 2');
    await ask('a', bearer('token:bob'));
    await expect(ask('a', bearer('token:carol'))).rejects.toThrow('The key "frontend" has used 3 of its 3');
  });
});

describe('a period', () => {
  it.each([
    ['hour', '2026-01-31T13:59:59.999Z', '2026-01-31T14:00:00Z'],
    ['day', '2026-02-28T23:59:59.999Z', '2026-03-01T00:00:00Z'],
    ['month', '2028-02-29T23:59:59.999Z', '2028-03-01T00:00:00Z'],
    ['month', '2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00Z'],
  ])('of an %s ends with that of the calendar: %s', async (per, last, next) => {
    const clock = new ManualClock(Date.parse(last));
    const { ask } = answering({}, { clock });
    const ada = callerNamed('ada', { allow: [`calls=1/${per}`] });
    await ask('a', ada);
    await expect(ask('a', ada)).rejects.toMatchObject({
      message: expect.stringContaining(`It has more from ${next}.`),
      details: { retryAfterSeconds: 1 },
    });
    await clock.advance(1);
    await ask('a', ada);
    await expect(ask('a', ada)).rejects.toMatchObject(exhausted);
  });

  it('counts a call in the one in which it ends', async () => {
    const clock = new ManualClock(Date.parse('2026-01-31T23:59:59Z'));
    const { ask, engine, left } = answering({}, { clock });
    const ada = callerNamed('ada', { allow: ['calls=5/month', 'rows=9/month'] });
    engine.answer = undefined;
    const call = ask('a', ada);
    await settled();
    expect(left(ada)).toBe('"calls-month";r=4;t=1, "rows-month";r=9;t=1');
    await clock.advance(2_000);
    engine.latest.succeed([[1n]]);
    await call;
    expect(left(ada)).toBe('"calls-month";r=4;t=2419199, "rows-month";r=8;t=2419199');
  });

  it('goes on when the clock is set back', () => {
    let now = Date.parse('2026-02-01T00:00:01Z');
    const ledger = new Ledger({ now: () => now, after: () => ({ cancel() {} }) });
    const used = () => ledger.of('calls', 'month', 'key ada');
    ledger.add(used(), 1);
    now -= 10_000;
    expect(used()).toMatchObject({ used: 1, period: { name: '2026-02' } });
  });
});

describe('an allowance of rows', () => {
  const ada = callerNamed('ada', { allow: ['rows=3/hour'] });

  it('counts the rows of answers, and lets a call begin while some are left', async () => {
    const { ask, left } = answering();
    await ask('a', ada);
    expect(left(ada)).toBe('"rows-hour";r=1;t=3600');
    await ask('a', ada);
    expect(left(ada)).toBe('"rows-hour";r=0;t=3600');
    await expect(ask('a', ada)).rejects.toThrow('has used 4 of its 3 rows an hour');
  });

  it('takes back rows that an answer leaves out', async () => {
    const { ask, left } = answering();
    (await ask('a', ada)).leaveOut?.(1);
    expect(left(ada)).toContain(';r=2;');
  });

  it('counts the rows of an export as they are handed over, and lets it end', async () => {
    const { executor, engine, endpoint, left, ask } = answering({ exportRows: 100 });
    const seen: string[] = [];
    const call = callOf({ endpoint, parameters: new Map([['project', 'a']]), payer: ada });
    const { signal } = new AbortController();
    const { columns } = endpoint.plan;
    engine.stream = async (_request, take) => {
      for (let batch = 0; batch < 2; batch++) await take(columnsOfRows(columns, [[1n], [2n]]));
      return { truncated: false, engineMs: 1 };
    };
    await executor.stream(call, { signal }, ({ batch }) => void (batch && seen.push(left(ada))));
    expect(seen).toEqual(['"rows-hour";r=1;t=3600', '"rows-hour";r=0;t=3600']);
    await expect(executor.stream(call, { signal }, () => {})).rejects.toMatchObject(exhausted);
    await expect(ask('a', ada)).rejects.toMatchObject(exhausted);
  });
});

describe('an allowance of engine seconds', () => {
  const ada = callerNamed('ada', { allow: ['engine-seconds=2/hour'] });

  it('counts runs that the key has started, and lets cached answers go on', async () => {
    const { ask, engine, left } = answering();
    engine.engineMs = 1_250;
    await ask('a', ada);
    await ask('a', ada);
    await ask('other', callerNamed('bob'));
    expect(left(ada)).toBe('"engine-seconds-hour";r=0;t=3600');
    await ask('other', ada);
    await ask('b', ada);
    await expect(ask('c', ada)).rejects.toThrow('has used 2.5 of its 2 engine seconds an hour');
    await ask('a', ada);
  });

  it('counts runs that fail or are given up', async () => {
    const { ask, engine, clock, left } = answering();
    engine.answer = undefined;
    const leaving = new AbortController();
    const gone = ask('b', ada, leaving.signal);
    gone.catch(() => {});
    await settled();
    await clock.advance(1_500);
    leaving.abort(new Error('gone'));
    await settled();
    expect(left(ada)).toContain(';r=0;');
  });
});

describe('a key whose calls become slow', () => {
  const ada = callerNamed('ada', { allow: ['calls=1/day'], whenSpent: 'slow' });

  it('goes on behind the calls of others when its allowance is spent', async () => {
    const { ask, engine, executor, endpoint } = answering({}, { settings: { maxConcurrentQueries: 1 } });
    const progress: RunProgress = {};
    const { signal } = new AbortController();
    const parameters = new Map([['project', 'first']]);
    await executor.execute(callOf({ endpoint, parameters, payer: ada }), { signal, progress });
    expect(progress.class).toBe('default');
    engine.answer = undefined;
    const waiting = (queries: number) =>
      expect.poll(() => executor.permits.state).toMatchObject({ running: 1, waiting: queries });
    const calls = [ask('running', callerNamed('bob'))];
    await waiting(0);
    await expect.poll(() => engine.runs.length).toBe(2);
    calls.push(ask('slow', ada));
    await waiting(1);
    calls.push(ask('quick', callerNamed('bob')));
    await waiting(2);
    engine.answer = () => [[1n]];
    engine.latest.succeed([[1n]]);
    await Promise.all(calls);
    // Answers are compressed in threads, and may come in another order than the runs.
    const order = engine.runs.map(({ request }) => request.parameters.get('project'));
    expect(order).toEqual(['first', 'running', 'quick', 'slow']);
  });

  it('is not exempt from the budget of the deployment', async () => {
    const { ask, engine } = answering({}, { settings: { bigqueryKeyBytesPerDay: 5 } });
    engine.cost = { bytesProcessed: 10, bytesBilled: 10, engineCacheHit: false };
    await ask('a', ada);
    await ask('a', ada);
    await expect(ask('b', ada)).rejects.toThrow('has used 10 of its 5 bytes billed a day');
  });
});
