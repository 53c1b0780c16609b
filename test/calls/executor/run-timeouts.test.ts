import { describe, expect, it } from 'vitest';
import type { RunProgress } from '../../../src/calls/executor/executor.ts';
import { callOf } from '../../support/call-of.ts';
import { endpointWith } from './support/endpoint.ts';
import { settled } from './support/manual-clock.ts';
import { type SetUpParts, setUp } from './support/setup.ts';

const brief = endpointWith({ timeoutSeconds: 2 });
const other = endpointWith({ id: '7b7d6f0c-5a3e-4d4f-9d2b-0f6f3a1c8e21', name: 'other' });

/** What has become of a call by now. */
function watch(call: Promise<unknown>) {
  const seen = { code: 'under way' };
  call.then(
    () => Object.assign(seen, { code: 'answered' }),
    (error) => Object.assign(seen, { code: error.code }),
  );
  return seen;
}

const hanging: SetUpParts['engine'] = {
  run: () => new Promise(() => {}),
  stream: () => new Promise(() => {}),
  estimate: () => new Promise(() => {}),
};

describe.each<[string, SetUpParts]>([
  ['that ends what is aborted', {}],
  ['that heeds nothing', { engine: hanging }],
])('on an engine %s', (_, parts) => {
  it('a run of an endpoint with a time of its own ends when that is up, and others go on', async () => {
    const { ask, clock } = setUp({ settings: { requestTimeoutMs: 25_000 }, ...parts });
    const [first, second] = [watch(ask(brief)), watch(ask(other))];
    await clock.advance(1_999);
    await settled();
    expect([first.code, second.code]).toEqual(['under way', 'under way']);
    await clock.advance(2);
    await settled();
    expect([first.code, second.code]).toEqual(['QUERY_TIMEOUT', 'under way']);
  });
});

it('the time of an endpoint counts from the call on, waiting for a turn included', async () => {
  const { ask, clock, engine } = setUp({ settings: { requestTimeoutMs: 25_000, maxConcurrentQueries: 1 } });
  watch(ask(other));
  await settled();
  const waiting = watch(ask(brief));
  await clock.advance(2_001);
  await settled();
  expect(waiting.code).toBe('QUERY_TIMEOUT');
  expect(engine.runs).toHaveLength(1);
});

it("the engine gets the remaining time, never more than a request's timeout", async () => {
  const { ask, engine, clock } = setUp({ settings: { requestTimeoutMs: 25_000, maxConcurrentQueries: 1 } });
  watch(ask(endpointWith({ timeoutSeconds: 3600 })));
  await settled();
  expect(engine.latest.request.timeoutMs).toBeLessThanOrEqual(25_000);
  const waiting = watch(ask(endpointWith({ timeoutSeconds: 2, name: 'brief', id: other.id })));
  await clock.advance(500);
  engine.latest.succeed([[1n]]);
  await settled();
  expect(engine.latest.request.timeoutMs).toBe(1_500);
  engine.latest.succeed([[1n]]);
  await expect.poll(() => waiting.code).toBe('answered');
});

describe.each<[string, SetUpParts]>([
  ['ends what is aborted', {}],
  ['heeds nothing', { engine: hanging }],
])('a caller whose time is up is told how long an engine worked that %s', (_, parts) => {
  it('from the turn of the query on, and until its own end', async () => {
    const { executor, clock } = setUp({
      settings: { requestTimeoutMs: 25_000, maxConcurrentQueries: 1 },
      ...parts,
    });
    const told: RunProgress[] = [];
    const ask = (endpoint: typeof brief, signal = new AbortController().signal) => {
      const progress: RunProgress = {};
      const call = callOf({ endpoint, parameters: new Map([['project', 'a']]) });
      return executor.execute(call, { signal, progress }).finally(() => void told.push(progress));
    };
    watch(ask(brief));
    await settled();
    const leaving = new AbortController();
    watch(ask(brief, leaving.signal));
    watch(ask(endpointWith({ ...other, timeoutSeconds: 1 })));
    await clock.advance(1_500);
    leaving.abort(new Error('the client has left'));
    await settled();
    const waited = { class: 'default', planningMs: 0, queueMs: 1_000 };
    const worked = { class: 'default', planningMs: 0, queueMs: 0, engineMs: 1_500 };
    expect(told).toEqual([waited, worked]);
    await clock.advance(500);
    await settled();
    expect(told).toEqual([waited, worked, { class: 'default', planningMs: 0, queueMs: 0, engineMs: 2_000 }]);
  });
});
