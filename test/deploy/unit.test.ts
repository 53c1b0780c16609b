import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/app/engines/registry.ts';
import { settingDescriptions } from '../../src/definitions/settings/config.ts';

const run = promisify(execFile);
const unit = 'deploy/systemd/endpoint-gateway.service';
const text = await readFile(unit, 'utf8');
const values = (name: string) =>
  Array.from(text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm')), ([, value]) => value ?? '');

test('the unit sets settings that exist', () => {
  const known = settingDescriptions.map(({ variable }) => variable);
  const set = values('Environment').map((pair) => pair.split('=', 1)[0] ?? '');
  expect(set).toContain('DATA_DIR');
  for (const name of set) if (!name.startsWith('NODE_')) expect(known).toContain(name);
});

test('the unit gives the gateway the time to complete requests, and files for all connections', () => {
  const { shutdownTimeoutMs, maxConnections } = readConfig({});
  expect(Number(values('TimeoutStopSec')[0]) * 1000).toBeGreaterThan(shutdownTimeoutMs + 1_500);
  expect(Number(values('LimitNOFILE')[0])).toBeGreaterThan(maxConnections * 2);
});

/** With systemd-analyze only. In CI, it has to be there. */
test.skipIf(!existsSync('/usr/bin/systemd-analyze') && process.env.CI !== 'true')(
  'systemd accepts the unit, and rates its exposure as docs/deploying.md says',
  async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'unit-'));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    const program = path.join(root, 'endpoint-gateway');
    await writeFile(program, '');
    await chmod(program, 0o755);
    const installed = path.join(root, 'endpoint-gateway.service');
    await writeFile(installed, text.replace(/^ExecStart=\S+/m, `ExecStart=${program}`));
    const { stderr } = await run('systemd-analyze', ['verify', installed]);
    expect(stderr).toBe('');
    const { stdout } = await run('systemd-analyze', ['security', '--offline=true', '--no-pager', installed]);
    const [, exposure] = /exposure level for .*: ([\d.]+)/.exec(stdout) ?? [];
    expect(await readFile('docs/deploying.md', 'utf8')).toContain(`exposure level of ${exposure}`);
  },
);
