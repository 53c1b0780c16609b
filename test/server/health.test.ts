import { expect, test } from 'vitest';
import { runGateway } from './running-gateway.ts';

test('/readyz answers 200 without a key once queries can be answered, and 503 before', async () => {
  let isReady = false;
  const gateway = await runGateway({ isReady: () => isReady });
  expect((await gateway.call('/readyz', { anonymous: true })).status).toBe(503);
  isReady = true;
  expect(await gateway.call('/readyz', { anonymous: true })).toMatchObject({
    status: 200,
    body: '{"status":"ok"}',
  });
});

test('/readyz says what else is known', async () => {
  const gateway = await runGateway({ health: () => ({ bigquery: 'not reached' }) });
  expect(await gateway.call('/readyz', { anonymous: true })).toMatchObject({
    status: 200,
    body: '{"status":"ok","bigquery":"not reached"}',
  });
  expect((await gateway.call('/livez', { anonymous: true })).body).toBe('{"status":"ok"}');
});

test('/livez answers 200 from the beginning', async () => {
  const gateway = await runGateway({ isReady: () => false });
  expect((await gateway.call('/livez', { anonymous: true })).status).toBe(200);
});

test('health is read, with GET or HEAD', async () => {
  const gateway = await runGateway();
  expect(await gateway.call('/readyz', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
  expect(await gateway.call('/readyz', { method: 'POST' })).toMatchObject({
    status: 405,
    headers: { allow: 'GET, HEAD' },
  });
});
