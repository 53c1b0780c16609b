import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Child, type Program } from '../../../src/base/processes/child.ts';
import { makePrivateFolder } from '../../../src/base/processes/private-folder.ts';
import { residentBytes } from '../../../src/base/processes/watch.ts';
import { systemClock } from '../../../src/base/system/clock.ts';
import { endProcess, eventually, isRunning, processesNaming } from '../../acceptance/support/processes.ts';

const parent = path.join(import.meta.dirname, 'support/parent.ts');

/** Starts a shell script. */
async function start(script: string, more: Partial<Program> = {}) {
  const folder = await makePrivateFolder('test');
  const program = { name: 'A test', command: '/bin/sh', args: ['-c', script], ...more };
  return { folder, starting: Child.start(program, folder, systemClock) };
}

/** A script is right when it says what is expected: that is its sign of readiness. */
async function says(script: string, text: string, more: Partial<Program> = {}): Promise<void> {
  const { starting } = await start(`${script}; exec sleep 1000`, {
    sign: { text, withinMs: 10_000 },
    ...more,
  });
  await (await starting).end('the test is over');
}

function environmentOf(pid = 0): string[] {
  return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').filter(Boolean);
}

describe('a child', () => {
  test('is ready when it says so, and leaves nothing behind', async () => {
    const { folder, starting } = await start('echo now rea; echo dy; exec sleep 1000', {
      sign: { text: 'rea\ndy', withinMs: 10_000 },
    });
    const child = await starting;
    expect(isRunning(child.pid)).toBe(true);
    expect(existsSync(folder)).toBe(true);
    await child.end('first');
    await child.end('second');
    expect(await child.exited).toBe('first');
    expect(isRunning(child.pid)).toBe(false);
    expect(existsSync(folder)).toBe(false);
    expect(await processesNaming(folder)).toEqual([]);
  });

  test.skipIf(process.platform !== 'linux')('has a fixed environment, and so has its watcher', async () => {
    vi.stubEnv('ENDPOINT_GATEWAY_TEST', 'secret');
    vi.stubEnv('NODE_COMPILE_CACHE', '/compiled');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { folder, starting } = await start('exec sleep 1000');
    const child = await starting;
    const [watcher] = await processesNaming(folder);
    const fixed = ['NODE_COMPILE_CACHE=/compiled', 'PATH=/usr/bin:/bin', `TMPDIR=${tmpdir()}`];
    // The shell that starts it adds the current folder.
    expect(
      environmentOf(child.pid)
        .filter((each) => !each.startsWith('PWD='))
        .sort(),
    ).toEqual(fixed);
    expect(environmentOf(watcher?.pid).sort()).toEqual(fixed);
    await child.end('the test is over');
  });

  test('has an empty input and a session of its own', async () => {
    await says('echo "[$(cat)]"', '[]');
    await says('[ $$ -eq $(ps -o pgid= -p $$) ] && echo leads', 'leads');
  });

  test.skipIf(process.platform !== 'linux')('has its limits', () =>
    says('echo "[$(ulimit -s) $(ulimit -v)]"', '[2048 1024000]', {
      limits: { stackKb: 2048, addressSpaceMb: 1000 },
    }),
  );

  test.each([
    ['exit 3', 'code 3'],
    ['kill -TERM $$', 'signal SIGTERM'],
    ['echo why >&2; exit 1', 'code 1: why'],
    ['head -c 100000 /dev/zero >&2; echo why >&2; exit 1', /^code 1: \0+why$/],
  ])('that ends by %j says how', async (script, reason) => {
    const { folder, starting } = await start(script, { includesStderr: true });
    const exited = await (await starting).exited;
    expect(exited).toMatch(reason);
    expect(exited.length).toBeLessThan(3000);
    expect(existsSync(folder)).toBe(false);
  });

  test('is not stopped by what it writes', async () => {
    const { starting } = await start('head -c 1000000 /dev/zero; exit 4');
    expect(await (await starting).exited).toBe('code 4');
  });

  test.each<[string, Partial<Program>, string]>([
    ['exec sleep 1000', { sign: { text: 'x', withinMs: 100 } }, 'A test did not start within 100 ms'],
    ['exit 5', { sign: { text: 'x', withinMs: 10_000 } }, 'A test ended while starting: code 5'],
    [
      '',
      { command: '/nowhere', sign: { text: 'x', withinMs: 10_000 } },
      'A test ended while starting: code 127',
    ],
  ])('that does not start, by %j, is told of and gone', async (script, more, message) => {
    const { folder, starting } = await start(script, more);
    await expect(starting).rejects.toThrow(message);
    expect(existsSync(folder)).toBe(false);
    expect(await processesNaming(folder)).toEqual([]);
  });

  test('ends also while it is stopped', async () => {
    const { starting } = await start('exec sleep 1000');
    const child = await starting;
    process.kill(child.pid, 'SIGSTOP');
    await child.end('it hung');
    expect(await child.exited).toBe('it hung');
  });

  test('ends when its watcher does', async () => {
    const { folder, starting } = await start('exec sleep 1000');
    const child = await starting;
    const [watcher] = await processesNaming(folder);
    process.kill(watcher?.pid ?? Number.NaN, 'SIGKILL');
    expect(await child.exited).toBe('signal SIGKILL');
  });

  test('ends also while its watcher is stopped', async () => {
    const { folder, starting } = await start('exec sleep 1000');
    const child = await starting;
    const [watcher] = await processesNaming(folder);
    process.kill(watcher?.pid ?? Number.NaN, 'SIGSTOP');
    await child.end('the test is over');
    expect(await processesNaming(folder)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  test('has so much memory, and none when it has ended', async () => {
    const { starting } = await start('exec sleep 1000');
    const child = await starting;
    await eventually('it is loaded', async () => ((await residentBytes(child.pid)) ?? 0) > 200_000);
    expect(await residentBytes(child.pid)).toBeLessThan(100e6);
    await child.end('the test is over');
    expect(await residentBytes(child.pid)).toBeUndefined();
  });
});

describe('after kill -9 of its parent', () => {
  test.each([
    ['a child', false],
    ['a stopped child', true],
  ])('%s ends, and its folder is removed', async (_, isStopped) => {
    const gateway = spawn(process.execPath, [parent], { stdio: ['ignore', 'pipe', 'inherit'] });
    const { pid, folder } = JSON.parse(String((await once(gateway.stdout, 'data'))[0]));
    try {
      expect(isRunning(pid)).toBe(true);
      if (isStopped) process.kill(pid, 'SIGSTOP');
      gateway.kill('SIGKILL');
      await eventually('the child has ended', async () => !isRunning(pid));
      await eventually('its watcher, too', async () => (await processesNaming(folder)).length === 0);
      expect(existsSync(folder)).toBe(false);
    } finally {
      endProcess(pid);
    }
  });
});

const inContainer = ['--map-root-user', '--pid', '--fork', '--mount-proc'];
const hasContainers = spawnSync('unshare', [...inContainer, 'true']).status === 0;

test.skipIf(!hasContainers)('the first process of a container has nobody left to reap', async () => {
  const { stdout } = await promisify(execFile)('unshare', [...inContainer, process.execPath, parent]);
  expect(JSON.parse(stdout)).toEqual([]);
});
