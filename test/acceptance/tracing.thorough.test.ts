import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { portOf } from '../support/redis.ts';
import { Gateway } from './support/gateway.ts';
import { eventually } from './support/processes.ts';
import { Workspace } from './support/workspace.ts';

let workspace: Workspace;
beforeEach(async () => {
  workspace = await Workspace.withShippedSchema();
});
afterEach(() => workspace.remove());

test('a collector that is away harms nobody, and is told of once', async () => {
  const gateway = await Gateway.serve(workspace, {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_EXPORTER_OTLP_TIMEOUT: '300',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  });
  for (let round = 0; round < 3; round++) {
    expect((await gateway.query('logs.all', { project: 'a' })).status).toBe(200);
  }
  await eventually('it says so', () => gateway.command.stderr !== '');
  expect((await gateway.query('logs.all', { project: 'a' })).status).toBe(200);
  const { code, stderr } = await gateway.stop();
  expect(code).toBe(0);
  expect(stderr).toMatch(/^warning: traces cannot be exported reason=.*\n$/);
});

test('a collector that takes nothing does not keep a gateway from its end', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  try {
    await once(silent, 'listening');
    const gateway = await Gateway.serve(workspace, {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${portOf(silent)}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
      SHUTDOWN_TIMEOUT_MS: '8000',
    });
    expect((await gateway.query('logs.all', { project: 'a' })).status).toBe(200);
    expect(await gateway.stop()).toMatchObject({ code: 0, signal: null });
  } finally {
    silent.close();
  }
});
