import { expect, test } from 'vitest';
import { GatewayError } from '../../../../src/base/errors/errors.ts';
import { settled } from '../../../calls/executor/support/manual-clock.ts';
import { counts, runCachedGraphql } from './support/cached-graphql.ts';

const query = '{ counts(project: "a") { n } }';

test('a call says whether its rows come from the cache, and how old they are', async () => {
  const gateway = await runCachedGraphql();
  gateway.engine.answer = () => [[1n, null]];
  const made = await gateway.post(query);
  expect(made.calls).toMatchObject([
    {
      engineMs: 5,
      cache: { status: 'MISS', collapsed: false, stored: true, ageSeconds: 0, ttlSeconds: 60 },
    },
  ]);
  await gateway.clock.advance(1_001);
  const found = await gateway.post(`${query} # written otherwise`);
  expect(found.data).toEqual(made.data);
  expect(found.calls).toMatchObject([
    {
      engineMs: 0,
      cache: { status: 'HIT', collapsed: false, stored: true, ageSeconds: 1, ttlSeconds: 58 },
    },
  ]);
});

test('rows that stand in for ones that cannot be made say so, and are never made ready', async () => {
  const gateway = await runCachedGraphql([{ ...counts, staleIfErrorSeconds: 30 }]);
  gateway.engine.answer = () => [[1n, null]];
  await gateway.ready(query);
  gateway.engine.answer = () => {
    throw new GatewayError('BACKEND_UNAVAILABLE', 'no engine');
  };
  await gateway.clock.advance(70_000);
  for (let round = 0; round < 4; round++) {
    const reply = await gateway.post(query);
    expect(reply.data).toEqual({ counts: [{ n: '1' }] });
    expect(reply.calls).toMatchObject([
      { engineMs: 0, cache: { status: 'STALE', stored: false, ageSeconds: 70, ttlSeconds: -10 } },
    ]);
  }
  await gateway.clock.advance(20_000);
  const { data, errors } = await gateway.post(query);
  expect(data).toEqual({ counts: null });
  expect(errors).toMatchObject([{ extensions: { code: 'BACKEND_UNAVAILABLE' } }]);
});

test('the same call twice in an operation, and in others at the same time, is one run', async () => {
  const gateway = await runCachedGraphql();
  const text = '{ x: counts(project: "a") { n } y: counts(project: "a") { n address } }';
  const replies = Array.from({ length: 20 }, () => gateway.post(text));
  await expect.poll(() => gateway.executed()).toBe(40);
  expect(gateway.engine.runs).toHaveLength(1);
  gateway.engine.latest.succeed([[1n, 'b']]);
  const all = await Promise.all(replies);
  for (const { data } of all) expect(data).toEqual({ x: [{ n: '1' }], y: [{ n: '1', address: 'b' }] });
  const logFields = all.flatMap(({ calls }) => calls.map(({ cache }) => cache));
  expect(logFields.every(({ status }) => status === 'MISS')).toBe(true);
  expect(logFields.filter(({ collapsed }) => !collapsed)).toHaveLength(1);
});

test('a failure is shared by all waiters, and the next request tries again', async () => {
  const gateway = await runCachedGraphql();
  const replies = [gateway.post(query), gateway.post(query)];
  await expect.poll(() => gateway.executed()).toBe(2);
  gateway.engine.latest.fail(new GatewayError('QUERY_FAILED', 'division by zero'));
  for (const { errors, calls } of await Promise.all(replies)) {
    expect(errors).toMatchObject([{ extensions: { code: 'QUERY_FAILED' } }]);
    expect(calls).toEqual([]);
  }
  gateway.engine.answer = () => [[1n, null]];
  expect((await gateway.post(query)).data).toEqual({ counts: [{ n: '1' }] });
});

test('a client that leaves disturbs no other; when the last one leaves, the run is aborted', async () => {
  const gateway = await runCachedGraphql();
  const clients = [new AbortController(), new AbortController()];
  const body = JSON.stringify({ query });
  const calls = clients.map(({ signal }) => gateway.send(body, {}, '/graphql', signal));
  await expect.poll(() => gateway.executed()).toBe(2);
  clients[0]?.abort();
  await expect(calls[0]).rejects.toThrow();
  await settled();
  expect(gateway.engine.latest.isAborted).toBe(false);
  clients[1]?.abort();
  await expect(calls[1]).rejects.toThrow();
  await expect.poll(() => gateway.engine.latest.isAborted).toBe(true);
  expect(gateway.engine.runs).toHaveLength(1);
});
