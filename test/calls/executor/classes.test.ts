import { describe, expect, it } from 'vitest';
import type { Payer } from '../../../src/calls/access/caller/caller.ts';
import { keyedQueryOf } from '../../../src/calls/executor/entries/query-key.ts';
import type { QueryClass } from '../../../src/definitions/classes/query-class.ts';
import type { Endpoint } from '../../../src/definitions/endpoints/endpoint.ts';
import { callOf } from '../../support/call-of.ts';
import { callerNamed } from './support/caller.ts';
import { endpointWith } from './support/endpoint.ts';
import { FakeEngine } from './support/fake-engine.ts';
import { settled } from './support/manual-clock.ts';
import { setUp } from './support/setup.ts';

const never = new AbortController().signal;

/** How many queries of each class run or wait. */
function busy({ permits }: ReturnType<typeof setUp>['executor']) {
  const counts = permits.state.classes.map(
    ({ name, running, waiting }) => [name, running + waiting] as const,
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** An endpoint of its own for each number, so that calls share no run. */
function endpoint(number: number, settings: Partial<Endpoint> = {}): Endpoint {
  return endpointWith({ id: `6a7d6f0c-5a3e-4d4f-9d2b-${String(number).padStart(12, '0')}`, ...settings });
}

const key = (ofClass?: QueryClass, atMost?: QueryClass): Payer =>
  callerNamed('k', { ...(ofClass && { class: ofClass }), ...(atMost && { atMost }) });

describe('the class of a query', () => {
  it.each<[string, QueryClass | undefined, Payer, QueryClass]>([
    ['is default unless something chooses it', undefined, key(), 'default'],
    ['is that of the endpoint', 'interactive', key(), 'interactive'],
    ['is that of the key', undefined, key('interactive'), 'interactive'],
    ['is the lower one of both', 'interactive', key('background'), 'background'],
    ['is the lower one of both, whichever that is', 'background', key('interactive'), 'background'],
    ['is lowered by the request', 'interactive', key('interactive', 'background'), 'background'],
    ['is not raised by the request', undefined, key(undefined, 'interactive'), 'default'],
  ])('%s', async (_, ofEndpoint, payer, expected) => {
    const { executor, ask, engine } = setUp();
    const asked = ask(endpoint(1, ofEndpoint && { class: ofEndpoint }), { project: 'a' }, never, payer);
    await settled();
    expect(busy(executor)).toEqual({ [expected]: 1 });
    engine.latest.succeed([]);
    await asked;
  });

  it('is that of the most urgent caller of a shared run that waits', async () => {
    const { executor, ask, engine } = setUp({ settings: { maxConcurrentQueries: 1 } });
    const first = ask(endpoint(1));
    await settled();
    const shared = [ask(endpoint(2), { project: 'a' }, never, key('background'))];
    await settled();
    expect(busy(executor)).toEqual({ default: 1, background: 1 });
    shared.push(ask(endpoint(2), { project: 'a' }, never, key('interactive')));
    await settled();
    expect(busy(executor)).toEqual({ default: 1, interactive: 1 });
    engine.latest.succeed([]);
    await first;
    await settled();
    engine.latest.succeed([]);
    await Promise.all(shared);
  });

  it('is background for results that are kept warm', async () => {
    const { executor, engine } = setUp();
    const call = callOf({
      endpoint: endpoint(1, { class: 'interactive' }),
      parameters: new Map([['project', 'a']]),
    });
    const warmed = executor.refresh(keyedQueryOf(call.known() as never), never);
    await settled();
    expect(busy(executor)).toEqual({ background: 1 });
    engine.latest.succeed([]);
    await warmed;
  });

  it.each<[string, QueryClass | undefined, Payer, QueryClass]>([
    ['background unless something chooses it', undefined, key(), 'background'],
    ['that of the endpoint', 'interactive', key(), 'interactive'],
    ['that of the key', undefined, key('default'), 'default'],
    ['lowered by the request', 'interactive', key(undefined, 'background'), 'background'],
  ])('is, for exports, %s', async (_, ofEndpoint, payer, expected) => {
    const { executor, engine } = setUp();
    const call = callOf({
      endpoint: endpoint(1, ofEndpoint && { class: ofEndpoint }),
      parameters: new Map([['project', 'a']]),
      payer,
    });
    const exported = executor.stream(call, { signal: never }, () => {});
    await settled();
    expect(busy(executor)).toEqual({ [expected]: 1 });
    engine.latest.succeed([]);
    await exported;
    expect(busy(executor)).toEqual({});
  });

  it('is at most what a run allows, as for live answers', async () => {
    const { executor, engine } = setUp();
    const call = callOf({
      endpoint: endpoint(1, { class: 'interactive' }),
      parameters: new Map([['project', 'a']]),
    });
    const live = executor.execute(call, { signal: never, atMost: 'default' });
    await settled();
    expect(busy(executor)).toEqual({ default: 1 });
    engine.latest.succeed([]);
    await live;
  });
});

describe('the background', () => {
  it.each([
    ['half of the permits', false, 4],
    ['one permit, if a query uses all processors', true, 1],
  ])('has %s by default, and others start beside it', async (_, usesAllProcessors, most) => {
    const engine = Object.assign(new FakeEngine(), { usesAllProcessors });
    const { executor, ask } = setUp({ engine, settings: { maxConcurrentQueries: 8 } });
    const flood = Array.from({ length: 20 }, (_, number) =>
      ask(endpoint(number), { project: 'a' }, never, key('background')),
    );
    await settled();
    expect(executor.permits.state).toMatchObject({ running: most, waiting: 20 - most });
    const single = ask(endpoint(100, { class: 'interactive' }));
    await settled();
    expect(engine.runs).toHaveLength(most + 1);
    engine.answer = () => [];
    for (const run of engine.runs) run.succeed([]);
    await Promise.all([single, ...flood]);
  });
});

describe('the settings of a class', () => {
  const classes = (others: object) => ({
    ...{ interactive: { weight: 16 }, default: { weight: 4 } },
    background: { weight: 1, ...others },
  });

  it('limit the time of its queries only, and the one that others share is that of the class in which it began', async () => {
    const { ask, clock } = setUp({
      settings: { requestTimeoutMs: 25_000, queryClasses: classes({ timeoutSeconds: 2 }) },
    });
    const outcomes: string[] = [];
    const follow = (name: string, asked: Promise<unknown>) =>
      asked.catch(({ code }) => outcomes.push(`${name} ${code}`));
    const calls = [
      follow('background', ask(endpoint(1), { project: 'a' }, never, key('background'))),
      follow('default', ask(endpoint(2))),
    ];
    await clock.advance(2_001);
    expect(outcomes).toEqual(['background QUERY_TIMEOUT']);
    await clock.advance(25_000);
    expect(outcomes).toEqual(['background QUERY_TIMEOUT', 'default QUERY_TIMEOUT']);
    await Promise.all(calls);
  });

  it('limit how many of its queries wait and run', async () => {
    const { executor, ask, engine } = setUp({
      settings: { queryClasses: classes({ permits: 2, waiting: 1 }) },
    });
    const asked = [1, 2, 3].map((number) =>
      ask(endpoint(number), { project: 'a' }, never, key('background')),
    );
    await settled();
    expect(executor.permits.state).toMatchObject({ running: 2, waiting: 1 });
    await expect(ask(endpoint(4), { project: 'a' }, never, key('background'))).rejects.toMatchObject({
      code: 'OVERLOADED',
      details: { retryAfterSeconds: 1 },
    });
    engine.answer = () => [];
    for (const run of engine.runs) run.succeed([]);
    await Promise.all(asked);
  });

  it("give its jobs a priority and a reservation, unless they have the endpoint's", async () => {
    const reservation = 'projects/p/locations/eu/reservations/slow';
    const { ask, engine } = setUp({
      settings: { queryClasses: classes({ priority: 'batch', reservation }) },
    });
    engine.answer = () => [];
    await ask(endpoint(1), { project: 'a' }, never, key('background'));
    await ask(endpoint(2), { project: 'a' }, never, key());
    const own = {
      job: { priority: 'interactive' },
      reservation: 'projects/p/locations/eu/reservations/own',
    } as const;
    await ask(endpoint(3, own), { project: 'a' }, never, key('background'));
    const jobs = engine.runs.map(({ request: { job } }) => [job?.priority, job?.reservation]);
    expect(jobs).toEqual([
      ['batch', reservation],
      [undefined, undefined],
      ['interactive', own.reservation],
    ]);
  });
});
