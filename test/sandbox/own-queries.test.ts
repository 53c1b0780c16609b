import { describe, expect, test } from 'vitest';
import { RunQueue } from '../../src/executor/run-queue.ts';
import type { CallerQuery } from '../../src/sandbox/caller-query.ts';
import { type OwnQueriesParts, ownQueries } from '../../src/sandbox/own-query.ts';
import { endpointWith } from '../executor/support/endpoint.ts';
import { ManualClock } from '../executor/support/manual-clock.ts';

const never = new AbortController().signal;
const endpoint = endpointWith({ timeoutSeconds: 2 });
const planned: CallerQuery = {
  plan: endpoint.plan,
  key: 'k',
  tables: new Set(),
};

/** Plans of one text, which are there when the test says so. */
function world(parts: Partial<OwnQueriesParts> = {}) {
  const clock = new ManualClock();
  const there = Promise.withResolvers<CallerQuery>();
  let isThere = false;
  const signals: (AbortSignal | undefined)[] = [];
  const queries: OwnQueriesParts['queries'] = {
    async plan(_endpoint, _sql, signal, takePlace) {
      if (isThere) return planned;
      signals.push(signal);
      using _place = takePlace?.();
      signal?.addEventListener('abort', () => there.reject(signal.reason));
      return await there.promise;
    },
  };
  const own = ownQueries({ queries, clock, ...parts });
  return {
    clock,
    signals,
    plan: () => own.plan(endpoint, { language: 'lql', text: 'x' }, never),
    arrive() {
      isThere = true;
      there.resolve(planned);
    },
  };
}

describe('a query that waits to be planned', () => {
  test('is given up when the time of its endpoint is over', async () => {
    const { clock, plan } = world();
    const waiting = plan();
    const outcome = expect(waiting).rejects.toMatchObject({
      code: 'QUERY_TIMEOUT',
      message: 'The query was given up after 2000 ms.',
      details: expect.not.objectContaining({ parameter: 'lql' }),
    });
    await clock.advance(1_999);
    await clock.advance(1);
    await outcome;
  });

  test('has a place kept for it among the runs, which one that is planned already has not', async () => {
    const queue = new RunQueue({ maxRunning: 1, maxWaiting: 1 });
    const { plan, arrive, clock } = world({ keepPlace: () => queue.keepPlace() });
    const began = clock.elapsed();
    const waiting = [plan(), plan()];
    expect(queue.room).toBe(0);
    await expect(plan()).rejects.toMatchObject({ code: 'OVERLOADED', details: { retryAfterSeconds: 1 } });
    await clock.advance(100);
    arrive();
    for (const query of await Promise.all(waiting)) expect(query.since).toBe(began);
    expect(queue.room).toBe(2);
    expect(await plan()).not.toHaveProperty('since');
  });
});
