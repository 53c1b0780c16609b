import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isRunning } from '../../acceptance/support/processes.ts';
import { temporaryFolder } from '../../engines/duckdb/store/support.ts';
import { add, bodyOf, endless, engineProcess, row } from './support/engine-process.ts';

const { logged, request, startEngine } = engineProcess();

describe('when its process is killed', () => {
  test('queries under way are answered by the next one, and nothing that was acknowledged is lost', async () => {
    const engine = await startEngine();
    await add(engine, bodyOf(row('a')));
    const pid = await engine.process.pid();
    process.kill(pid, 'SIGSTOP');
    const unanswered = engine.run(await request('SELECT COUNT(*) AS n FROM logs.logs'));
    await sleep(200);
    process.kill(pid, 'SIGKILL');
    expect(await (await unanswered).rows.all()).toEqual([[1n]]);
    expect(await engine.process.pid()).not.toBe(pid);
    expect(await engine.rows.rowCounts()).toEqual(new Map([['logs', 1]]));
    expect(logged.filter((line) => line.includes('The engine stopped; restarting'))).toHaveLength(1);
  });

  test('an upload under way fails, and leaves nothing', async () => {
    const engine = await startEngine();
    const pid = await engine.process.pid();
    const killed = Promise.withResolvers<void>();
    async function* body() {
      yield Buffer.from(row('a'));
      await killed.promise;
      yield Buffer.from(row('b'));
    }
    const upload = add(engine, body());
    upload.catch(() => {});
    await sleep(100);
    process.kill(pid, 'SIGKILL');
    killed.resolve();
    await expect(upload).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      details: { retryAfterSeconds: 1 },
    });
    await engine.process.pid();
    expect(await engine.rows.rowCounts()).toEqual(new Map([['logs', 0]]));
  });

  test('an upload that waits until the process takes more fails as well', async () => {
    const engine = await startEngine();
    const pid = await engine.process.pid();
    let taken = 0;
    async function* body() {
      for (;;) {
        taken++;
        yield Buffer.alloc(1 << 20, row('a'));
      }
    }
    process.kill(pid, 'SIGSTOP');
    const upload = add(engine, body());
    upload.catch(() => {});
    // The socket is full.
    let before = 0;
    while (taken === 0 || taken > before) {
      before = taken;
      await sleep(200);
    }
    process.kill(pid, 'SIGKILL');
    await expect(upload).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
  });

  test('calls in flight are refused with a retry while no process can be started, and work again afterwards', async () => {
    const dataDir = await temporaryFolder();
    const engine = await startEngine({ dataDir });
    await add(engine, bodyOf(row('a')));
    const asked = [endless, `${endless} AND a > 1`].map((sql) => request(sql));
    const running = (await Promise.all(asked)).map((one) => engine.run(one));
    for (const query of running) query.catch(() => {});
    await sleep(300);
    await rename(dataDir, `${dataDir}-elsewhere`);
    onTestFinished(() => rm(`${dataDir}-elsewhere`, { recursive: true, force: true }));
    await writeFile(dataDir, 'no folder');
    process.kill(await engine.process.pid(), 'SIGKILL');
    for (const query of running)
      await expect(query).rejects.toMatchObject({
        code: 'BACKEND_UNAVAILABLE',
        details: { retryAfterSeconds: 1 },
      });
    await rm(dataDir);
    await rename(`${dataDir}-elsewhere`, dataDir);
    await expect.poll(() => engine.process.isReady).toBe(true);
    expect(await engine.rows.rowCounts()).toEqual(new Map([['logs', 1]]));
  });

  test('the next one finds its modules compiled', async () => {
    const cache = await temporaryFolder();
    vi.stubEnv('NODE_COMPILE_CACHE', cache);
    onTestFinished(() => void vi.unstubAllEnvs());
    const engine = await startEngine();
    // It is written some time after the start.
    await vi.waitFor(
      async () => expect((await readdir(cache, { recursive: true })).length).toBeGreaterThan(100),
      { timeout: 60_000, interval: 100 },
    );
    process.kill(await engine.process.pid(), 'SIGKILL');
    expect((await readdir(cache, { recursive: true })).length).toBeGreaterThan(100);
  });

  test('a query that meets the end of two processes is to blame, and refused for a while', async () => {
    const engine = await startEngine();
    const asked = await request(endless);
    const running = engine.run(asked);
    running.catch(() => {});
    const first = await engine.process.pid();
    await sleep(300);
    process.kill(first, 'SIGKILL');
    while ((await engine.process.pid()) === first) await sleep(10);
    await sleep(300);
    process.kill(await engine.process.pid(), 'SIGKILL');
    await expect(running).rejects.toMatchObject({ code: 'QUERY_FAILED' });
    await expect(engine.run(asked)).rejects.toThrow('The engine stopped twice while it ran this query');
    await engine.process.pid();
    const other = await engine.run(await request('SELECT 1 AS one'));
    expect(await other.rows.all()).toEqual([[1n]]);
  });
});

test('a process that is stopped is not waited for by the close', async () => {
  const engine = await startEngine();
  const pid = await engine.process.pid();
  process.kill(pid, 'SIGSTOP');
  await engine.close();
  expect(isRunning(pid)).toBe(false);
  // It was not the watch that ended it, later.
  expect(logged).toEqual([]);
});

test('a process that takes more memory than it may is ended', async () => {
  await startEngine({ memoryLimit: 1_000_000 });
  await expect.poll(() => logged.join()).toMatch(/it took \d+ MB of memory; at most 1 MB are allowed/);
});
