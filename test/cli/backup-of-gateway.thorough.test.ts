import { readdir, readFile, stat } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Gateway } from '../acceptance/support/gateway.ts';
import type { Workspace } from '../acceptance/support/workspace.ts';
import { backupWorkspace } from './support/backup-workspace.ts';
import { Senders } from './support/senders.ts';

let workspace: Workspace;
let gateway: Gateway;

beforeAll(async () => {
  workspace = await backupWorkspace();
  gateway = await Gateway.serve(workspace);
});
afterAll(() => workspace?.remove());

const restoredTo = (folder: string) => ({ DATA_DIR: workspace.path(folder) });

/** The requests whose rows an own gateway over a data folder has: a request has a row in the first source, then in the second. */
async function requestsIn(folder: string): Promise<readonly string[]> {
  const other = await Gateway.serve(workspace, restoredTo(folder));
  const rows = await other.rows('requests');
  await other.stop();
  const of = (source: string) =>
    rows.filter((row) => row.source === source).map(({ request }) => String(request));
  expect(of('first')).toEqual(expect.arrayContaining(of('second')));
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  return of('first');
}

test('a backup of a gateway that takes in rows has those of one moment, and is restored with them', async () => {
  const senders = new Senders(gateway, 4);
  await senders.until(20);
  const sentBefore = senders.acknowledged();
  const file = workspace.path('a.backup');
  const made = await workspace.run(['backup', file, '--rate', '2MB/s']);
  expect(made, made.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^backed up [\d,]+ rows of 2 sources to .*a\.backup \(\d+ MB\)\n$/),
  });
  await senders.until(senders.acknowledged().length + 4);
  await senders.stop();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await readdir(workspace.root)).filter((name) => name.startsWith('a.backup'))).toEqual(['a.backup']);

  const restored = await workspace.run(['restore', file], restoredTo('restored'));
  expect(restored, restored.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^restored [\d,]+ rows of 2 sources, as of 20\S+Z, into /),
  });
  const kept = await requestsIn('restored');
  expect(kept).toEqual(expect.arrayContaining([...sentBefore]));
  // Each sender waits for its acknowledgement: without gaps, these are the rows of one moment.
  for (let sender = 0; sender < 4; sender++) {
    const own = kept.filter((name) => name.startsWith(`${sender}-`));
    expect(own.toSorted()).toEqual(own.map((_, index) => `${sender}-${index}`).toSorted());
  }
  expect(kept.length).toBeLessThan(senders.acknowledged().length);
});

test('fields that rows have added are restored', async () => {
  const event = { timestamp: '2026-01-01T00:00:00Z', request: 'added-0', colour: 'green' };
  for (const source of ['first', 'second']) {
    const reply = await gateway.call(`/api/logs?source=${source}`, {
      method: 'POST',
      body: JSON.stringify(event),
    });
    expect(reply.status, reply.body).toBe(200);
  }
  const made = await workspace.run(['backup', workspace.path('b.backup')]);
  expect(made, made.stderr).toMatchObject({ code: 0 });
  await workspace.run(['restore', workspace.path('b.backup')], restoredTo('with-fields'));
  expect(await readFile(workspace.path('with-fields/fields/first.json'), 'utf8')).toContain('colour');
  expect(await requestsIn('with-fields')).toContain('added-0');
});
