import { existsSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { edgeRow } from './support/edge-rows.ts';
import { Gateway } from './support/gateway.ts';
import { eventually, processesNaming } from './support/processes.ts';
import { Workspace } from './support/workspace.ts';

let workspace: Workspace;
const serverFile = () => workspace.path('data', 'server.json');

beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  const rows = Array.from({ length: 100 }, () => edgeRow('2025-01-31T10:00:00Z', 'project', '/rest/v1'));
  await workspace.run(['import', 'edge_logs', await workspace.writeRows('rows.ndjson', rows)]);
});
afterAll(() => workspace?.remove());

async function nothingIsLeft() {
  await eventually('every process has ended', async () => {
    return (await processesNaming(workspace.path('tmp'))).length === 0;
  });
  await eventually('no temporary file is left', async () => (await workspace.temporaryFiles()).length === 0);
}

describe('the gateway', () => {
  afterEach(nothingIsLeft);

  test('serves until SIGTERM, answers what is under way, and takes everything with it that it started', async () => {
    const gateway = await Gateway.serve(workspace);
    expect(existsSync(serverFile())).toBe(true);
    expect(await workspace.analyzers()).toHaveLength(2);
    const answers = Array.from({ length: 20 }, () => gateway.query('logs.all', { project: 'project' }));
    // The first answer shows that most others have arrived.
    await Promise.race(answers);
    const stopped = gateway.stop('SIGTERM');
    const settled = await Promise.allSettled(answers);
    expect(await stopped).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(existsSync(serverFile())).toBe(false);
    expect(await workspace.analyzers()).toEqual([]);
    expect(await workspace.temporaryFiles()).toEqual([]);
    const answered = settled.filter((answer) => answer.status === 'fulfilled');
    expect(answered.length).toBeGreaterThan(10);
    for (const { value } of answered) expect(value.status).toBe(200);
  });

  test('says that it is not ready before it stops, and answers all the same', async () => {
    const gateway = await Gateway.serve(workspace, { SHUTDOWN_DELAY_MS: '1500' });
    const asked = performance.now();
    const stopped = gateway.stop('SIGTERM');
    await eventually('it is not ready', async () => (await gateway.call('/readyz')).status === 503);
    expect((await gateway.call('/ready')).status).toBe(503);
    expect((await gateway.call('/livez')).status).toBe(200);
    const reply = await gateway.query('logs.all', { project: 'project' });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('connection')).toBe('close');
    expect(await stopped).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(performance.now() - asked).toBeGreaterThan(1_500);
  });
});
