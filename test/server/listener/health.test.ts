import { expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
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
});

test.each(['/livez', '/health'])('%s answers 200 with the version from the beginning', async (path) => {
  const gateway = await runGateway({ isReady: () => false, health: () => ({ bigquery: 'not reached' }) });
  expect(await gateway.call(path, { anonymous: true })).toMatchObject({
    status: 200,
    body: `{"status":"ok","version":"${packageJson.version}"}`,
  });
});

test('health is read, with GET or HEAD', async () => {
  const gateway = await runGateway();
  expect(await gateway.call('/readyz', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
  expect(await gateway.call('/readyz', { method: 'POST' })).toMatchObject({
    status: 405,
    headers: { allow: 'GET, HEAD, OPTIONS' },
  });
});
