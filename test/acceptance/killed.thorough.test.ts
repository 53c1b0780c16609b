import { afterAll, beforeAll, expect, test, vi } from 'vitest';
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
