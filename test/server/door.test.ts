import { describe, expect, test } from 'vitest';
import { Door } from '../../src/server/door.ts';
import { runGateway } from './running-gateway.ts';

const path = '/api/endpoints/query/logs.all?project=a';
const graphql = {
  method: 'POST',
  headers: [['Content-Type', 'application/json'] as const],
  body: '{"query":"{ __typename }"}',
};

describe('a gateway in which no more queries can wait', () => {
  test('refuses further ones at once, on both faces', async () => {
    const gateway = await runGateway({ door: new Door({ room: 0, waitSeconds: 2.5 }) });
    const refused = await gateway.call(path);
    expect(refused).toMatchObject({ status: 503, body: '{"error":"Too many queries are waiting"}' });
    expect(refused.headers).toMatchObject({
      'retry-after': '3',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    });
    const onGraphql = await gateway.call('/graphql', graphql);
    expect(onGraphql.status).toBe(503);
    expect(JSON.parse(onGraphql.body)).toMatchObject({
      errors: [{ extensions: { code: 'OVERLOADED', retryAfterSeconds: 3 } }],
    });
    expect((await gateway.call(path, { method: 'HEAD' })).status).toBe(503);
    expect(
      (await gateway.call(path, { method: 'POST', headers: [['Expect', '100-continue']], body: 'x' })).status,
    ).toBe(503);
    expect(gateway.executor.calls).toHaveLength(0);
  });

  test('tells who brings a query along how long that waits to be planned and run', async () => {
    const door = new Door({ room: 0, waitSeconds: 2 }, { room: 9, waitSeconds: 5 });
    const gateway = await runGateway({ door });
    const retryAfter = async (target: string) => (await gateway.call(target)).headers['retry-after'];
    expect(await retryAfter(path)).toBe('2');
    expect(await retryAfter(`${path}&sql=select+1`)).toBe('5');
    expect(await retryAfter(`${path}&lql=s:*`)).toBe('5');
  });

  test('looks for queries that callers bring along in bodies, too', async () => {
    const door = new Door({ room: 100, waitSeconds: 2 }, { room: 0, waitSeconds: 3 });
    const gateway = await runGateway({ door });
    const status = async (target: string, body: string, type = 'application/json') =>
      (await gateway.call(target, { method: 'POST', headers: [['Content-Type', type]], body })).status;
    expect(await status(path, '{"sql":"select 1"}')).toBe(503);
    expect(await status(path, 'lql=s:*', 'application/x-www-form-urlencoded')).toBe(503);
    const document = 'query($s: String!) { logsAllQuery(project: "a", sql: $s) { rows } }';
    expect(await status('/graphql', JSON.stringify({ query: document }))).toBe(503);
    expect(await status('/graphql', graphql.body)).toBe(200);
    expect(await status(path, '{"interval":"daily"}')).toBe(200);
  });

  test('reads a body only when it decides something, and once', () => {
    const door = new Door({ room: 1, waitSeconds: 2 }, { room: 0, waitSeconds: 3 });
    let reads = 0;
    const body = Buffer.from('{"sql":"select 1"}');
    const request = Object.assign(Object.create(null), {
      url: path,
      method: 'POST',
      readableLength: body.length,
    });
    request.read = () => {
      reads++;
      return body;
    };
    request.unshift = () => {};
    expect(door.secondsAway(request)).toBe(3);
    expect(reads).toBe(1);
    const ample = new Door({ room: 20, waitSeconds: 2 }, { room: 9, waitSeconds: 3 });
    expect(ample.secondsAway(request)).toBeUndefined();
    expect(reads).toBe(1);
  });

  test('still answers what is no query', async () => {
    const gateway = await runGateway({ door: new Door({ room: 0, waitSeconds: 1 }) });
    expect((await gateway.call('/readyz')).status).toBe(200);
    expect((await gateway.call(path, { method: 'OPTIONS' })).status).toBe(204);
    expect((await gateway.call('/nope')).status).toBe(404);
  });

  test('lets in, in one moment, no more than there is room for', async () => {
    const behind = { room: 3, waitSeconds: 1 };
    const door = new Door(behind);
    const request = { url: path, method: 'GET' } as Parameters<Door['secondsAway']>[0];
    const entered = () =>
      Array.from({ length: 10 }, () => door.secondsAway(request)).filter((away) => away === undefined).length;
    expect(entered()).toBe(3);
    await new Promise((resolve) => setImmediate(resolve));
    behind.room = 2;
    expect(entered()).toBe(2);
    behind.room = 100;
    expect(entered()).toBe(10);
  });
});

test('a defect where requests are looked at first costs the one request, not the process', async () => {
  const door = new Door({
    get room(): number {
      throw new TypeError('a defect');
    },
    waitSeconds: 1,
  });
  const gateway = await runGateway({ door });
  expect(await gateway.call(path)).toMatchObject({ status: 500 });
  expect((await gateway.call('/graphql', graphql)).status).toBe(500);
});
