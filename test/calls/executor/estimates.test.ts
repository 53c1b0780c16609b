import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import { callOf } from '../../support/call-of.ts';
import { callerNamed } from './support/caller.ts';
import { endpointWith } from './support/endpoint.ts';
import { settled } from './support/manual-clock.ts';
import { setUp } from './support/setup.ts';

const endpoint = endpointWith({ labels: [{ key: 'who' }], job: { location: 'EU' } });
const { signal } = new AbortController();
const parameters = new Map([['project', 'a']]);
const call = callOf({ endpoint, parameters });

describe('an estimate', () => {
  it('asks the engine about what would run, however often', async () => {
    const { executor, engine, counted, table } = setUp();
    const own = { canonical: 'own', plan: { ...endpoint.plan, sql: 'own' }, maxRows: 7, tables: [] };
    for (let round = 0; round < 2; round++) {
      const payer = callerNamed('ada', { labels: 'who=ada' });
      const ownCall = callOf({ endpoint, parameters, payer }).with(own);
      expect(await executor.estimate(ownCall, { signal })).toEqual({ bytesProcessed: 1000 });
    }
    expect(engine.estimates).toHaveLength(2);
    expect(engine.estimates[0]).toMatchObject({
      plan: { sql: 'own' },
      maxRows: 7,
      timeoutMs: 25_000,
      job: { location: 'EU', labels: new Map([['who', 'ada']]) },
    });
    expect(counted).toEqual([]);
    expect(table.size).toBe(0);
  });

  it('waits for its turn as a run does, and has the time that is left then', async () => {
    const { executor, engine, ask, clock } = setUp({ settings: { maxConcurrentQueries: 1 } });
    const running = ask();
    await settled();
    const estimate = executor.estimate(call, { signal });
    await clock.advance(5_000);
    expect(engine.estimates).toHaveLength(0);
    engine.latest.succeed([]);
    await running;
    await estimate;
    expect(engine.estimates[0]?.timeoutMs).toBe(20_000);
  });

  it('ends when the caller leaves, and fails as the engine does', async () => {
    const { executor, engine, ask } = setUp({ settings: { maxConcurrentQueries: 1 } });
    const leaving = new AbortController();
    const running = ask();
    await settled();
    const estimate = executor.estimate(call, { signal: leaving.signal });
    const gone = new Error('the caller has left');
    leaving.abort(gone);
    await expect(estimate).rejects.toBe(gone);
    engine.latest.succeed([]);
    await running;
    engine.estimated = new GatewayError('OVERLOADED', 'no');
    await expect(executor.estimate(call, { signal })).rejects.toBe(engine.estimated);
  });
});

it('a run gets the time that is left when it starts', async () => {
  const { ask, engine, clock } = setUp({ settings: { maxConcurrentQueries: 1, requestTimeoutMs: 9_000 } });
  const first = ask(endpoint, { project: 'a' });
  const second = ask(endpoint, { project: 'b' });
  await clock.advance(4_000);
  engine.latest.succeed([]);
  await first;
  await settled();
  expect(engine.runs.map(({ request }) => request.timeoutMs)).toEqual([9_000, 5_000]);
  engine.latest.succeed([]);
  await second;
});
