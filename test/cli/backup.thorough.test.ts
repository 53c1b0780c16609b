import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readServerFile } from '../../src/engines/duckdb/store/file/server-file.ts';
import type { Command } from '../acceptance/support/command.ts';
import { Gateway } from '../acceptance/support/gateway.ts';
import { eventually } from '../acceptance/support/processes.ts';
import type { Workspace } from '../acceptance/support/workspace.ts';
import { backupWorkspace } from './support/backup-workspace.ts';
import { Senders } from './support/senders.ts';

let workspace: Workspace;
let gateway: Gateway;

beforeEach(async () => {
  workspace = await backupWorkspace();
  gateway = await Gateway.serve(workspace);
});
afterEach(() => workspace?.remove());

const filesOfBackup = async () =>
  (await readdir(workspace.root)).filter((name) => name.startsWith('a.backup'));

/** Starts a backup that takes many seconds, and waits until it copies. */
async function slowBackup(): Promise<Command> {
  const command = workspace.start(['backup', workspace.path('a.backup'), '--rate', '100KB/s', '--force']);
  await eventually('it copies', async () => (await filesOfBackup()).some((name) => name.endsWith('.part')));
  return command;
}

/** Checks that the gateway takes in rows, and that they can be backed up and restored. */
async function worksOn(senders: Senders): Promise<void> {
  await senders.until(senders.acknowledged().length + 8);
  const sent = senders.acknowledged();
  const made = await workspace.run(['backup', workspace.path('a.backup'), '--force']);
  expect(made, made.stderr).toMatchObject({ code: 0 });
  expect(await filesOfBackup()).toEqual(['a.backup']);
  await senders.stop();
  const into = { DATA_DIR: workspace.path('restored') };
  const restored = await workspace.run(['restore', workspace.path('a.backup')], into);
  expect(restored, restored.stderr).toMatchObject({ code: 0 });
  const other = await Gateway.serve(workspace, into);
  const rows = await other.rows('requests');
  const ids = new Set(rows.map(({ id }) => id));
  expect(ids.size).toBe(rows.length);
  for (const request of sent)
    for (const source of ['first', 'second']) expect(ids).toContain(`${request}-${source}`);
}

test('a backup ends with its command, which leaves no file', async () => {
  const senders = new Senders(gateway, 4);
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const command = await slowBackup();
    expect(await command.stop(signal)).toMatchObject({ code });
    expect(await filesOfBackup()).toEqual([]);
  }
  const killed = await slowBackup();
  expect(await killed.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
  expect(await filesOfBackup()).not.toContain('a.backup');
  await worksOn(senders);
});

test('a backup fails when the engine process ends, and leaves no file', async () => {
  const senders = new Senders(gateway, 4);
  const command = await slowBackup();
  const { storePid = 0 } = (await readServerFile(workspace.path('data'))) ?? {};
  process.kill(storePid, 'SIGKILL');
  const { code, stderr } = await command.outcome;
  expect(code).toBe(1);
  expect(stderr).toMatch(/^The gateway at \S+ or its engine stopped meanwhile/m);
  expect(await filesOfBackup()).toEqual([]);
  await worksOn(senders);
});

test('a backup fails when the gateway is killed, and leaves no file', async () => {
  const command = await slowBackup();
  await gateway.stop('SIGKILL');
  expect(await command.outcome).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/stopped meanwhile/),
  });
  expect(await filesOfBackup()).toEqual([]);
  gateway = await Gateway.serve(workspace);
  await worksOn(new Senders(gateway, 4));
});

test('a gateway that stops ends a backup in time', async () => {
  gateway = await restarted({ SHUTDOWN_TIMEOUT_MS: '1000' });
  const command = await slowBackup();
  expect(await gateway.stop()).toMatchObject({ code: 0 });
  expect(await command.outcome).toMatchObject({ code: 1 });
  expect(await filesOfBackup()).toEqual([]);
});

test('a restoration that is killed leaves no store, and can be repeated', async () => {
  const senders = new Senders(gateway, 4);
  await senders.until(40);
  await senders.stop();
  const made = await workspace.run(['backup', workspace.path('a.backup')]);
  expect(made, made.stderr).toMatchObject({ code: 0 });
  const into = { DATA_DIR: workspace.path('restored') };
  for (const milliseconds of [300, 350, 400, 450, 500, 600]) {
    const command = workspace.start(['restore', workspace.path('a.backup')], into);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    const { code } = await command.stop('SIGKILL');
    const names = await readdir(workspace.path('restored')).catch((): string[] => []);
    if (code === 0 || names.includes('store.duckdb')) break;
  }
  const names = await readdir(workspace.path('restored')).catch((): string[] => []);
  if (!names.includes('store.duckdb')) {
    const restored = await workspace.run(['restore', workspace.path('a.backup')], into);
    expect(restored, restored.stderr).toMatchObject({ code: 0 });
  }
  const other = await Gateway.serve(workspace, into);
  expect(await other.rows('requests')).toHaveLength(2 * senders.acknowledged().length);
});

async function restarted(settings: Readonly<Record<string, string>>): Promise<Gateway> {
  await gateway.stop();
  return Gateway.serve(workspace, settings);
}
