import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { settingDescriptions } from '../../src/definitions/settings/config.ts';

const run = promisify(execFile);
const folder = 'deploy/systemd';
const text = await readFile(path.join(folder, 'endpoint-gateway-backup.service'), 'utf8');
const gateway = await readFile(path.join(folder, 'endpoint-gateway.service'), 'utf8');
const values = (name: string, unit = text) =>
  Array.from(unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm')), ([, value]) => value ?? '');
const pairs = (unit: string) =>
  new Map(values('Environment', unit).map((pair) => pair.split('=') as [string, string]));

async function temporaryFolder(): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'unit-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

/** The shell command of a line of the unit, as systemd passes it on. */
function commandOf(name: string): string {
  const [, command = ''] = /^\/bin\/sh -c '(.*)'$/.exec(values(name)[0] ?? '') ?? [];
  return command.replaceAll('$$', '$').replaceAll('%%', '%');
}

test('it has the store, the settings and the user of the gateway', () => {
  const [own, others] = [pairs(text), pairs(gateway)];
  for (const name of ['NODE_ENV', 'DATA_DIR', 'NODE_COMPILE_CACHE'])
    expect(own.get(name)).toBe(others.get(name));
  expect(values('EnvironmentFile')).toEqual(values('EnvironmentFile', gateway));
  expect(values('User')).toEqual(['endpoint-gateway']);
  expect(values('DynamicUser', gateway)).toEqual(['yes']);
  const known = settingDescriptions.map(({ variable }) => variable);
  for (const name of own.keys()) if (!/^NODE_|^KEEP$|^BACKUPS$/.test(name)) expect(known).toContain(name);
});

test('a day’s backup replaces that of the same day, and the newest stay', async () => {
  const root = await temporaryFolder();
  const backups = path.join(root, 'backups');
  await mkdir(backups);
  for (let day = 10; day < 20; day++) await writeFile(path.join(backups, `store-2025-01-${day}.backup`), '');
  await writeFile(path.join(backups, 'other'), '');
  // A program that writes the file that it is asked for.
  await mkdir(path.join(root, 'node_modules/.bin'), { recursive: true });
  const program = path.join(root, 'node_modules/.bin/endpoint-gateway');
  await writeFile(program, '#!/bin/sh\nif [ "$1 $2" = "backup --force" ]; then echo made > "$3"; fi\n');
  await chmod(program, 0o755);
  const env = { PATH: process.env.PATH, BACKUPS: backups, KEEP: pairs(text).get('KEEP') };
  for (const name of ['ExecStartPre', 'ExecStart', 'ExecStartPost'])
    await run('/bin/sh', ['-c', commandOf(name)], { cwd: root, env });
  const left = (await readdir(backups)).sort();
  expect(left).toHaveLength(8);
  expect(left.slice(0, 3)).toEqual(['other', 'store-2025-01-14.backup', 'store-2025-01-15.backup']);
  expect(left.at(-1)).toMatch(/^store-20\d\d-\d\d-\d\d\.backup$/);
  expect(await readFile(path.join(backups, left.at(-1) ?? ''), 'utf8')).toBe('made\n');
});

/** With systemd-analyze only. In CI, it has to be there. */
test.skipIf(!existsSync('/usr/bin/systemd-analyze') && process.env.CI !== 'true')(
  'systemd accepts the unit and its timer, which comes each day',
  async () => {
    const root = await temporaryFolder();
    await cp(folder, root, { recursive: true });
    const program = path.join(root, 'endpoint-gateway');
    await writeFile(program, '');
    await chmod(program, 0o755);
    const file = path.join(root, 'endpoint-gateway.service');
    await writeFile(file, gateway.replace(/^ExecStart=\S+/m, `ExecStart=${program}`));
    const units = ['service', 'timer'].map((kind) => path.join(root, `endpoint-gateway-backup.${kind}`));
    const { stderr } = await run('systemd-analyze', ['verify', ...units]);
    expect(stderr).toBe('');
    const timer = await readFile(path.join(folder, 'endpoint-gateway-backup.timer'), 'utf8');
    const [calendar = ''] = values('OnCalendar', timer);
    const { stdout } = await run(
      'systemd-analyze',
      ['calendar', '--iterations=3', '--base-time=2026-01-01 12:00:00 UTC', calendar],
      {
        env: { ...process.env, TZ: 'UTC' },
      },
    );
    expect(stdout.match(/2026-01-0\d 03:00:00/g)).toEqual([
      '2026-01-02 03:00:00',
      '2026-01-03 03:00:00',
      '2026-01-04 03:00:00',
    ]);
  },
);
