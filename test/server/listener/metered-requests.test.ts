import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { RequestCounter } from '../../../src/server/limits/request-counter.ts';
import { eventually } from '../../acceptance/support/processes.ts';
import { metricsOf } from '../../support/metrics.ts';
import { fakeExecutor, runGateway, sendRaw } from './running-gateway.ts';

const query = '/api/endpoints/query/logs.all?project=a';

/** A gateway, and how many requests its metrics have counted by api and status. */
async function meteredGateway(fakes: Parameters<typeof runGateway>[0] = {}) {
  const metrics = metricsOf({ engine: 'duckdb' });
  const gateway = await runGateway({ ...fakes, metrics });
  const counted = async () => {
    const found = (await metrics.text()).matchAll(
      /^gateway_request_seconds_count\{api="(\w+)",status="(\d+)"\} (\d+)$/gm,
    );
    return [...found].map(([, api, status, count]) => `${api} ${status}: ${count}`).toSorted();
  };
  return { ...gateway, counted };
}

test('every request is counted by API and status', async () => {
  const { call, port, counted } = await meteredGateway();
  await call(query);
  await call(query);
  await call('/endpoints/query/logs.all', { anonymous: true });
  await call('/graphql', {
    method: 'POST',
    headers: [['Content-Type', 'application/json']],
    body: '{"query":"{ __typename }"}',
  });
  await call('/readyz');
  await call('/metrics');
  await call('/nothing');
  await sendRaw(port, 'nonsense\r\n\r\n');
  expect(await counted()).toEqual([
    'graphql 200: 1',
    'other 200: 2',
    'other 400: 1',
    'other 404: 1',
    'rest 200: 2',
    'rest 401: 1',
  ]);
});

test('so is one that is refused before anything is done for it', async () => {
  const perAddress = { requests: 1, seconds: 3600 };
  const limited = await meteredGateway({
    limits: { counter: new RequestCounter(), trustedProxies: 0, perAddress },
  });
  for (let call = 0; call < 3; call++) await limited.call(query);
  expect(await limited.counted()).toEqual(['rest 200: 1', 'rest 429: 2']);
});

test('so is one whose client left before it was answered', async () => {
  const executor = fakeExecutor(() => new Promise<never>(() => {}));
  const { port, counted } = await meteredGateway({ executor });
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${query} HTTP/1.1\r\nHost: x\r\nX-API-KEY: key\r\n\r\n`);
  await eventually('it runs', () => executor.calls.length === 1);
  socket.destroy();
  await eventually('it is counted', async () => (await counted()).length > 0);
  expect(await counted()).toEqual(['rest 499: 1']);
});
