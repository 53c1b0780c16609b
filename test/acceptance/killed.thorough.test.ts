import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readServerFile } from '../../src/engines/duckdb/store/file/server-file.ts';
import { effort } from '../support/effort.ts';
import { edgeRow } from './support/edge-rows.ts';
import { Gateway } from './support/gateway.ts';
import { eventually } from './support/processes.ts';
import { Workspace } from './support/workspace.ts';

// Three processes start and end in each test.
vi.setConfig({ testTimeout: 90_000 });

let workspace: Workspace;

beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
});
afterAll(() => workspace?.remove());

const rowsPerBatch = 20;

/** Adds batches, each of a project of its own, until the gateway is gone. Gives those that it has acknowledged. */
async function addUntilGone(gateway: Gateway, name: string, acknowledged: Set<string>): Promise<string[]> {
  const sent: string[] = [];
  for (let batch = 0; ; batch++) {
    const project = `${name}${batch}`;
    const rows = Array.from({ length: rowsPerBatch }, () => edgeRow(new Date(), project, '/rest/v1'));
    sent.push(project);
    try {
      const { status } = await gateway.call('/api/sources/edge_logs/rows', {
        method: 'POST',
        body: rows.map((row) => JSON.stringify(row)).join('\n'),
      });
      if (status === 200) acknowledged.add(project);
    } catch {
      return sent;
    }
  }
}

test.each([1, 10])(
  'kill -9 among imports, %i of them acknowledged, loses none of those, and halves none',
  async (count) => {
    const gateway = await Gateway.serve(workspace);
    const acknowledged = new Set<string>();
    const clients = ['a', 'b', 'c'].map((name) => addUntilGone(gateway, `${name}${count}-`, acknowledged));
    await eventually('so many are acknowledged', () => acknowledged.size >= count, 30);
    await gateway.stop('SIGKILL');
    const sent = (await Promise.all(clients)).flat();

    const again = await Gateway.serve(workspace);
    for (const project of sent) {
      const { length } = await again.rows('logs.all', { project });
      expect(acknowledged.has(project) ? [rowsPerBatch] : [0, rowsPerBatch], project).toContain(length);
    }
    expect(await again.stop()).toMatchObject({ code: 0, stderr: '' });
  },
);

const collectors = 20;
const eventsPerPost = 5;

/** Posts events as collectors do, until the gateway is gone. Gives the ids of all, and adds those that it has acknowledged. */
async function postUntilGone(gateway: Gateway, name: string, acknowledged: Set<string>): Promise<string[]> {
  const sent: string[] = [];
  for (let post = 0; ; post++) {
    const ids = Array.from({ length: eventsPerPost }, (_, n) => `${name}-${post}-${n}`);
    const body = JSON.stringify(ids.map((id) => ({ id, project: 'posted', event_message: 'x'.repeat(500) })));
    sent.push(...ids);
    try {
      // Some collectors miss the response, and send again.
      for (let time = 0; time < (post % 5 === 0 ? 2 : 1); time++) {
        const { status } = await gateway.call('/api/logs?source=edge_logs', { method: 'POST', body });
        if (status === 200) for (const id of ids) acknowledged.add(id);
      }
    } catch {
      return sent;
    }
  }
}

test('kill -9 of gateway and engine at once, again and again, leaves each acknowledged event once', async () => {
  const acknowledged = new Set<string>();
  const sent = new Set<string>();
  for (let round = 0; round < 2 * effort; round++) {
    const gateway = await Gateway.serve(workspace);
    const before = acknowledged.size;
    const posting = Array.from({ length: collectors }, (_, n) =>
      postUntilGone(gateway, `${round}-${n}`, acknowledged),
    );
    const enough = before + 300 + Math.random() * 700;
    await eventually('so many are acknowledged', () => acknowledged.size >= enough, 30);
    const server = await readServerFile(workspace.path('data'));
    process.kill(server?.storePid ?? Number.NaN, 'SIGKILL');
    await gateway.stop('SIGKILL');
    for (const id of (await Promise.all(posting)).flat()) sent.add(id);
  }
  const again = await Gateway.serve(workspace);
  const sql = "select string_agg(id, ' ') as ids from edge_logs";
  const [row] = await again.rows('logs.all', { project: 'posted', sql });
  const ids = String(row?.ids).split(' ');
  const stored = new Set(ids);
  expect(stored.size).toBe(ids.length);
  expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
  expect(ids.filter((id) => !sent.has(id))).toEqual([]);
  await again.stop();
});

test('kill -9 right after an import by the command loses nothing of it', async () => {
  const gateway = await Gateway.serve(workspace);
  const rows = Array.from({ length: 50 }, () => edgeRow(new Date(), 'by-command', '/rest/v1'));
  const imported = await workspace.run([
    'import',
    'edge_logs',
    await workspace.writeRows('rows.ndjson', rows),
  ]);
  expect(imported).toMatchObject({
    code: 0,
    stdout: 'imported 50 rows into edge_logs (0 already existed)\n',
  });
  await gateway.stop('SIGKILL');
  const again = await Gateway.serve(workspace);
  expect(await again.rows('logs.all', { project: 'by-command' })).toHaveLength(50);
  await again.stop();
});
