import { expect } from 'vitest';
import type { Gateway } from '../../acceptance/support/gateway.ts';
import type { Workspace } from '../../acceptance/support/workspace.ts';

/** Checks that keys are good as soon as they are made, and no longer than they are: wherever they are kept, and on all gateways. */
export async function keysComeAndGo(
  workspace: Workspace,
  gateways: readonly Gateway[],
  settings: Readonly<Record<string, string>>,
) {
  const statuses = (key: string, project = 'a') =>
    Promise.all(
      gateways.map(async (gateway) => (await gateway.query('logs.all', { project }, { key })).status),
    );
  const all = (status: number) => gateways.map(() => status);

  const began = Date.now();
  const made = await workspace.run(
    ['keys', 'create', '--name', 'tenant', '--projects', 'a', '--expires', '90d'],
    settings,
  );
  const tookMs = Date.now() - began;
  expect(made.stderr).toContain('tenant');
  const key = made.stdout.trim();
  expect(await statuses(key)).toEqual(all(200));
  expect(await statuses(key, 'b')).toEqual(all(403));
  expect(await statuses(key, '.*')).toEqual(all(403));
  const counts = { interval: 'daily', project: 'a|b' };
  for (const gateway of gateways)
    expect((await gateway.query('usage.api-counts', counts, { key })).status).toBe(403);
  expect(await statuses(`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`)).toEqual(all(401));
  expect((await workspace.run(['keys', 'revoke', 'tenant'], settings)).code).toBe(0);
  expect(await statuses(key)).toEqual(all(401));

  // Time enough to make it and to use it, on a busy machine as well.
  const soon = new Date(Date.now() + 2 * tookMs + 2_000).toISOString().replace(/\.\d+Z/, 'Z');
  const short = await workspace.run(['keys', 'create', '--name', 'short', '--expires', soon], settings);
  expect(short.stderr).toContain('short');
  expect(await statuses(short.stdout.trim())).toEqual(all(200));
  await new Promise((resolve) => setTimeout(resolve, Date.parse(soon) - Date.now() + 20));
  expect(await statuses(short.stdout.trim())).toEqual(all(401));
  const { stdout } = await workspace.run(['keys', 'list'], settings);
  expect(stdout).toMatch(/^key_\w+ +short .* expired$/m);
  expect(stdout).toMatch(/^key_\w+ +tenant .* revoked$/m);
  for (const { command } of gateways) {
    expect(`${command.stdout}${command.stderr}`).not.toContain(key.slice(4, 20));
  }
}
