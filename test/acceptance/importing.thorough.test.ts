import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { edgeRow } from './support/edge-rows.ts';
import { eventually } from './support/processes.ts';
import { Workspace } from './support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
});
afterAll(() => workspace?.remove());

test('an import that is killed leaves none of its rows, and the next one adds them all', async () => {
  const rows = Array.from({ length: 30_000 }, () => edgeRow('2025-01-31T10:00:00Z', 'killed', '/rest/v1'));
  const file = await workspace.writeRows('many.ndjson', rows);
  const command = workspace.start(['import', 'edge_logs', file]);
  await eventually('the import has opened the store', () => existsSync(workspace.path('data/store.duckdb')));
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(await command.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL', stdout: '' });
  expect(await workspace.run(['import', 'edge_logs', file])).toMatchObject({
    code: 0,
    stdout: 'imported 30,000 rows into edge_logs (0 already existed)\n',
  });
});
