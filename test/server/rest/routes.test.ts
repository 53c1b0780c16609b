import { describe, expect, test } from 'vitest';
import { logsAll, logsId, plainEndpoint, runGateway } from '../listener/running-gateway.ts';

const query = '?project=a';

describe('an endpoint answers', () => {
  test.each([
    ['by name', `/api/endpoints/query/logs.all${query}`],
    ['by percent-encoded name', `/api/endpoints/query/%6Cogs%2Eall${query}`],
    ['by UUID', `/api/endpoints/query/${logsId}${query}`],
    ['by UUID in upper case', `/api/endpoints/query/${logsId.toUpperCase()}${query}`],
    ['under the deprecated spelling, by name', `/api/endpoints/query/name/logs.all${query}`],
    ['under the legacy prefix, by name', `/endpoints/query/logs.all${query}`],
    ['under the legacy prefix, by UUID', `/endpoints/query/${logsId}${query}`],
    ['with a slash at the end', `/api/endpoints/query/logs.all/${query}`],
    ["in a proxy's absolute form", `http://gateway.example/api/endpoints/query/logs.all${query}`],
  ])('%s', async (_, target) => {
    const gateway = await runGateway();
    expect(await gateway.call(target)).toMatchObject({ status: 200, body: '{"result":[]}' });
    expect(gateway.executor.calls[0]?.endpoint).toBe(logsAll);
  });

  test('by a name with a slash and a letter beyond ASCII', async () => {
    const gateway = await runGateway();
    await gateway.call(`/api/endpoints/query/${encodeURIComponent(plainEndpoint.name)}`);
    expect(gateway.executor.calls[0]?.endpoint).toBe(plainEndpoint);
  });

  test('to HEAD as to GET, without the body', async () => {
    const gateway = await runGateway();
    const get = await gateway.call(`/api/endpoints/query/logs.all${query}`);
    const head = await gateway.call(`/api/endpoints/query/logs.all${query}`, { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, body: '' });
    const { date: _date, 'x-request-id': _id, ...same } = get.headers;
    expect(head.headers).toMatchObject(same);
    expect(gateway.executor.calls).toHaveLength(2);
  });
});

describe('the endpoint does not exist', () => {
  test.each([
    '/api/endpoints/query/unknown',
    '/api/endpoints/query/LOGS.ALL',
    '/api/endpoints/query/2b2a3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
    `/api/endpoints/query/name/${logsId}`,
    `/api/endpoints/query/${logsId.replaceAll('-', '')}`,
    '/api/endpoints/query/__proto__',
    '/api/endpoints/query/name',
  ])('at %s', async (target) => {
    const gateway = await runGateway();
    const reply = await gateway.call(`${target}${query}`);
    expect(reply.status).toBe(404);
    expect(JSON.parse(reply.body)).toMatchObject({
      error: expect.stringMatching(/^There is no endpoint ".*"\.$/),
      code: 'NOT_FOUND',
    });
  });

  test.each(['/', '/api', '/api/endpoints/query/a/b', '/nope?a=1'])(
    'nor anything else at %s, with or without a key',
    async (target) => {
      const gateway = await runGateway();
      expect((await gateway.call(target)).status).toBe(404);
      expect((await gateway.call(target, { anonymous: true })).status).toBe(404);
    },
  );

  test('for a name that is not UTF-8', async () => {
    const gateway = await runGateway();
    for (const name of ['%ff', '%', '%zz', '%c3%28']) {
      expect((await gateway.call(`/api/endpoints/query/${name}`)).status).toBe(400);
    }
  });
});

describe('a method that the route lacks', () => {
  test.each([
    ['PUT', '/api/endpoints/query/logs.all', 'GET, POST, HEAD, OPTIONS'],
    ['PATCH', '/api/endpoints/query/logs.all', 'GET, POST, HEAD, OPTIONS'],
    ['DELETE', `/api/endpoints/query/${logsId}`, 'GET, POST, HEAD, OPTIONS'],
    ['POST', '/api/endpoints/query/name/logs.all', 'GET, HEAD, OPTIONS'],
    ['POST', '/endpoints/query/logs.all', 'GET, HEAD, OPTIONS'],
  ])('%s %s is answered 405 with those it has', async (method, target, allow) => {
    const gateway = await runGateway();
    const reply = await gateway.call(`${target}${query}`, { method, body: 'x' });
    expect(reply).toMatchObject({ status: 405, headers: { allow } });
    expect(gateway.executor.calls).toHaveLength(0);
  });
});
