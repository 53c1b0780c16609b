import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../../src/base/errors/errors.ts';
import { counts, live, runCachedGraphql } from './support/cached-graphql.ts';
import { codes, runGraphql } from './support/graphql-gateway.ts';

const estimate = '{ estimates { counts(project: "a") { bytesProcessed } } }';
const cost = { bytesProcessed: 2000, bytesBilled: 10_485_760, slotMs: 12.5, engineCacheHit: false };

describe('estimates', () => {
  test('return what a call would read, and run nothing', async () => {
    const { post, engine, counted } = await runCachedGraphql();
    engine.estimated = { bytesProcessed: 12_345_678_901_234 };
    const reply = await post(estimate);
    expect(reply).toMatchObject({
      data: { estimates: { counts: { bytesProcessed: '12345678901234' } } },
      calls: [],
    });
    expect(engine.estimates[0]?.parameters).toEqual(new Map([['project', 'a']]));
    expect(engine.runs).toEqual([]);
    expect(counted).toEqual([]);
  });

  test('tell the rows, too', async () => {
    const { post, engine } = await runCachedGraphql();
    engine.estimated = { bytesProcessed: 5, rows: 7 };
    const reply = await post('{ estimates { counts(project: "a") { rows } } }');
    expect(reply.data).toEqual({ estimates: { counts: { rows: '7' } } });
  });

  test('are null where the engine can not tell', async () => {
    const { post, engine } = await runCachedGraphql();
    engine.estimated = { bytesProcessed: undefined };
    expect((await post(estimate)).data).toEqual({ estimates: { counts: { bytesProcessed: null } } });
  });

  test("are there for queries of one's own, with their arguments", async () => {
    const gateway = await runGraphql({ estimate: () => ({ bytesProcessed: 7 }) });
    const reply = await gateway.post({
      query: `{ estimates {
        logsAll(project: "a", count: 3) { bytesProcessed }
        own: logsAllQuery(project: "a", sql: "SELECT 1 AS x") { bytesProcessed }
        apiCounts(interval: DAILY) { bytesProcessed }
      } }`,
    });
    expect(reply.json.data).toEqual({
      estimates: {
        logsAll: { bytesProcessed: '7' },
        own: { bytesProcessed: '7' },
        apiCounts: { bytesProcessed: '7' },
      },
    });
    const asked = gateway.calls.map(({ endpoint, text, parameters }) => [
      endpoint.name,
      text,
      parameters.get('count'),
    ]);
    expect(asked).toHaveLength(3);
    expect(asked).toContainEqual(['logs.all', undefined, 3n]);
    expect(asked).toContainEqual(['logs.all', 'sql SELECT 1 AS x', null]);
    expect(asked).toContainEqual(['api-counts', undefined, undefined]);
  });

  test('fail one by one, as calls do', async () => {
    const gateway = await runGraphql({
      estimate: ({ endpoint }) => {
        if (endpoint.name === 'logs.all') throw new GatewayError('BACKEND_UNAVAILABLE', 'It is down.');
        return { bytesProcessed: 7 };
      },
    });
    const query = `{ estimates {
      logsAll(project: "") { bytesProcessed }
      down: logsAll(project: "a") { bytesProcessed }
      none: logsAllQuery(project: "a") { bytesProcessed }
      apiCounts(interval: DAILY) { bytesProcessed }
    } }`;
    const reply = await gateway.post({ query });
    expect(reply.json.data).toEqual({
      estimates: { logsAll: null, down: null, none: null, apiCounts: { bytesProcessed: '7' } },
    });
    const errors = reply.json.errors ?? [];
    expect(new Map(errors.map(({ path, extensions }) => [path?.join('.'), extensions.code]))).toEqual(
      new Map([
        ['estimates.logsAll', 'BAD_USER_INPUT'],
        ['estimates.down', 'BACKEND_UNAVAILABLE'],
        ['estimates.none', 'BAD_USER_INPUT'],
      ]),
    );
  });

  test('count as calls for the limit', async () => {
    const gateway = await runGraphql({ settings: { graphqlMaxCalls: 2 } });
    const three = [1, 2, 3].map((n) => `e${n}: apiCounts(interval: DAILY) { bytesProcessed }`).join(' ');
    const reply = await gateway.post({ query: `{ estimates { ${three} } }` });
    expect(codes(reply)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    expect(gateway.calls).toEqual([]);
  });

  test('are never cached, even if the rows are', async () => {
    const gateway = await runCachedGraphql();
    const { post, engine } = gateway;
    engine.answer = () => [[1n, 'x']];
    const both = '{ counts(project: "a") { n } estimates { counts(project: "a") { bytesProcessed } } }';
    await gateway.ready(both);
    engine.estimated = { bytesProcessed: 5 };
    for (const query of [both, `${both} `]) {
      for (let round = 0; round < 3; round++) {
        const { data } = await post(query);
        expect(data).toEqual({ counts: [{ n: '1' }], estimates: { counts: { bytesProcessed: '5' } } });
      }
    }
    expect(engine.runs).toHaveLength(1);
    expect(engine.estimates).toHaveLength(10);
  });

  test('use the request’s settings of jobs', async () => {
    const endpoint = { ...live, labels: [{ key: 'team' }] };
    const { send, engine } = await runCachedGraphql([counts, endpoint]);
    engine.answer = () => [[1n, 'x']];
    const query = '{ live(project: "a") { n } estimates { live(project: "a") { bytesProcessed } } }';
    for (const path of ['/graphql', undefined]) {
      const headers = { 'LF-ENDPOINT-LABELS': 'team=core' };
      if (path === undefined) await send(JSON.stringify([{ query }]), headers);
      else await send(JSON.stringify({ query }), headers);
      const labels = new Map([['team', 'core']]);
      expect(engine.latest.request.job.labels).toEqual(labels);
      expect(engine.estimates.at(-1)?.job.labels).toEqual(labels);
    }
  });
});

describe('the cost of a call', () => {
  test('is in its report, and in no report of rows from the cache', async () => {
    const { post, engine } = await runCachedGraphql();
    engine.answer = () => [[1n, 'x']];
    engine.cost = cost;
    const query = '{ counts(project: "a") { n } b: counts(project: "a") { n } live(project: "a") { n } }';
    const first = await post(query);
    expect(first.calls.map((call) => call.cost)).toEqual([cost, cost, cost]);
    const second = await post(query);
    expect(new Map(second.calls.map((call) => [call.path, call.cost]))).toEqual(
      new Map([
        ['counts', undefined],
        ['b', undefined],
        ['live', cost],
      ]),
    );
  });

  test('is not repeated by a cached response', async () => {
    const { post, engine } = await runCachedGraphql();
    engine.answer = () => [[1n, 'x']];
    engine.cost = cost;
    const query = '{ counts(project: "a") { n } }';
    expect((await post(query)).calls[0]?.cost).toEqual(cost);
    const { calls, text } = await post(query);
    expect(calls).toMatchObject([{ cache: { status: 'HIT' } }]);
    expect(text).not.toContain('cost');
  });

  test('is on the budget of the endpoint', async () => {
    const { post, engine } = await runCachedGraphql([counts, { ...live, maxBytesPerDay: 1 }]);
    engine.answer = () => [[1n, 'x']];
    engine.cost = cost;
    const query = '{ live(project: "a") { n } }';
    expect((await post(query)).errors).toBeUndefined();
    expect((await post(query)).errors).toMatchObject([
      { extensions: { code: 'COST_LIMIT_EXCEEDED', retryAfterSeconds: 86_400 } },
    ]);
  });
});
