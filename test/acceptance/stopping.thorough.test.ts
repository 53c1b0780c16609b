import { existsSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { edgeRow } from './support/edge-rows.ts';
import { Gateway } from './support/gateway.ts';
import { Load } from './support/load.ts';
import { eventually, isRunning, processesNaming } from './support/processes.ts';
import { Workspace } from './support/workspace.ts';

let workspace: Workspace;
const serverFile = () => workspace.path('data', 'server.json');

beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  await workspace.write('endpoints/endless.sql', endless);
  const rows = Array.from({ length: 100 }, () => edgeRow('2025-01-31T10:00:00Z', 'project', '/rest/v1'));
  await workspace.run(['import', 'edge_logs', await workspace.writeRows('rows.ndjson', rows)]);
});
afterAll(() => workspace?.remove());

/** A query of a million million steps. */
const endless = `/*
id: 00000000-0000-4000-8000-000000000001
name: endless
*/
SELECT COUNT(*) AS n
FROM logs.edge_logs AS a, logs.edge_logs AS b, logs.edge_logs AS c,
  logs.edge_logs AS d, logs.edge_logs AS e, logs.edge_logs AS f
WHERE CONCAT(a.id, b.id, c.id) < CONCAT(d.id, e.id, f.id)
`;

async function nothingIsLeft() {
  await eventually('every process has ended', async () => {
    return (await processesNaming(workspace.path('tmp'))).length === 0;
  });
  await eventually('no temporary file is left', async () => (await workspace.temporaryFiles()).length === 0);
}

describe('the gateway', () => {
  afterEach(nothingIsLeft);

  test('stops on SIGINT, also when it comes twice at once, as npm sends it', async () => {
    const gateway = await Gateway.serve(workspace);
    process.kill(gateway.command.pid, 'SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await gateway.stop('SIGINT')).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(serverFile())).toBe(false);
  });

  test('is stopped by SIGTERM to npm', async () => {
    const command = workspace.npm(['start', '--silent']);
    const gateway = await Gateway.of(command);
    expect(await gateway.rows('logs.all', { project: 'project' })).toHaveLength(100);
    const [analyzer = Number.NaN] = await workspace.analyzers();
    expect(isRunning(analyzer)).toBe(true);
    expect((await command.stop('SIGTERM')).code).toBe(0);
    expect(isRunning(analyzer)).toBe(false);
    expect(existsSync(serverFile())).toBe(false);
    await expect(gateway.call('/readyz')).rejects.toThrow();
  });

  test('leaves in order when it is told to stop while it starts', async () => {
    const command = workspace.start(['serve']);
    await eventually('the analyzer runs', async () => (await workspace.analyzers()).length > 0);
    expect(await command.stop('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(serverFile())).toBe(false);
  });

  test('gives up a query that takes too long, and whoever asked for it, when its time to stop is over', async () => {
    const times = { REQUEST_TIMEOUT_MS: '60000', SHUTDOWN_TIMEOUT_MS: '3000' };
    const gateway = await Gateway.serve(workspace, times);
    const endless = gateway.query('endless').then(
      () => 'answered',
      () => 'cut',
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    const asked = performance.now();
    expect(await gateway.stop('SIGTERM')).toMatchObject({
      code: 0,
      signal: null,
      stderr: 'warning: requests were aborted after the shutdown timeout requests=1\n',
    });
    expect(performance.now() - asked).toBeLessThan(6_000);
    expect(await endless).toBe('cut');
    expect(existsSync(serverFile())).toBe(false);
  });

  test('takes no longer than it may to say that it is about to stop', async () => {
    const times = { SHUTDOWN_DELAY_MS: '20000', SHUTDOWN_TIMEOUT_MS: '500' };
    const gateway = await Gateway.serve(workspace, times);
    expect(await gateway.stop('SIGTERM')).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'a second %s ends it at once, as the signal does',
    async (signal) => {
      const gateway = await Gateway.serve(workspace, { REQUEST_TIMEOUT_MS: '60000' });
      const endless = gateway.query('endless').catch(() => 'cut');
      await new Promise((resolve) => setTimeout(resolve, 300));
      process.kill(gateway.command.pid, signal);
      await new Promise((resolve) => setTimeout(resolve, 800));
      const asked = performance.now();
      // Shells show 128 and the signal's number for it.
      expect(await gateway.stop(signal)).toMatchObject({ code: null, signal });
      expect(performance.now() - asked).toBeLessThan(1_000);
      expect(await endless).toBe('cut');
    },
  );

  test('takes the analyzer with it when it is killed, and hinders nobody with the file that it left', async () => {
    const killed = await Gateway.serve(workspace);
    const [analyzer = Number.NaN] = await workspace.analyzers();
    expect(await killed.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
    await eventually('the analyzer has ended', () => !isRunning(analyzer));

    expect(existsSync(serverFile())).toBe(true);
    expect(await workspace.run(['import', 'edge_logs', workspace.path('rows.ndjson')])).toMatchObject({
      code: 0,
      stdout: 'imported 0 rows into edge_logs (100 already existed)\n',
    });
    const again = await Gateway.serve(workspace);
    expect(await again.rows('logs.all', { project: 'project' })).toHaveLength(100);
    await again.stop();
    expect(existsSync(serverFile())).toBe(false);
  });
});

test('stopped under load, by clients that keep their connections: no request that it took is lost', async () => {
  const gateway = await Gateway.serve(workspace, { SHUTDOWN_DELAY_MS: '1000' });
  const load = new Load(gateway.url, '/api/endpoints/query/logs.all?project=project');
  const clients = Array.from({ length: 16 }, () => load.run());
  await eventually('it is under load', () => load.answered > 100);
  const stopped = gateway.stop('SIGTERM');
  expect(await stopped).toMatchObject({ code: 0, signal: null, stderr: '' });
  await Promise.all(clients);
  expect(load.lost).toEqual([]);
  expect([...load.statuses]).toEqual([200]);
});

test('the analyzer killed under load: no request fails, and another one takes its place', async () => {
  const gateway = await Gateway.serve(workspace);
  try {
    const statuses = new Map<number, number>();
    let isLoaded = true;
    const load = Array.from({ length: 8 }, async () => {
      while (isLoaded) {
        const { status } = await gateway.query('logs.all', { project: 'project' });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    });
    const killed: number[] = [];
    for (let round = 0; round < 3; round++) {
      await eventually('another analyzer runs', async () => {
        const [analyzer] = (await workspace.analyzers()).filter((pid) => !killed.includes(pid));
        if (analyzer !== undefined) killed.push(analyzer);
        return analyzer !== undefined;
      });
      await new Promise((resolve) => setTimeout(resolve, 100));
      process.kill(killed.at(-1) ?? Number.NaN, 'SIGKILL');
    }
    await eventually('another analyzer runs', async () => (await workspace.analyzers()).length === 1);
    isLoaded = false;
    await Promise.all(load);
    expect([...statuses.keys()]).toEqual([200]);
    expect(killed).toHaveLength(3);
    // On a busy machine one may still be starting when it is killed; two such failures in a row are told once.
    const told =
      /^warning: The SQL analyzer (is ready again|stopped; restarting reason="signal SIGKILL"|cannot be started; retrying reason="The SQL analyzer ended while starting: signal SIGKILL")$/;
    const lines = gateway.command.stderr.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(2 * killed.length);
    for (const line of lines) expect(line).toMatch(told);
  } finally {
    await gateway.stop();
  }
  await nothingIsLeft();
});
