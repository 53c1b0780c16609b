import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { sourceCatalog } from '../../src/app/load-schema.ts';
import { systemClock } from '../../src/clock.ts';
import { EngineClient } from '../../src/engine-process/engine-client.ts';
import type { EngineRequest } from '../../src/engines/engine.ts';
import { Analyzer } from '../../src/sql/analyzer/analyzer.ts';
import { newPlan, type Plan } from '../../src/sql/plan.ts';
import { resultColumns } from '../../src/sql/resolved/result-columns.ts';
import { makeSource, temporaryFolder } from '../engines/duckdb/store/support.ts';

const source = makeSource('logs', { name: 'text', type: 'STRING' });
const told: string[] = [];
afterEach(() => {
  told.length = 0;
});

async function startEngine({ dataDir, memoryLimit = 4e9 }: { dataDir?: string; memoryLimit?: number } = {}) {
  const log = (message: string, fields: object = {}) =>
    void told.push(`${message} ${JSON.stringify(fields)}`);
  const engine = await EngineClient.start({
    settings: {
      dataDir: dataDir ?? (await temporaryFolder()),
      sources: [source],
      memoryLimit: '1GB',
      threads: 2,
    },
    clock: systemClock,
    log: { info: log, warn: log, error: log },
    memoryLimit,
  });
  onTestFinished(() => engine.close());
  return engine;
}

async function planned(sql: string): Promise<Plan> {
  const analyzer = await Analyzer.start();
  try {
    const statement = await analyzer.analyze(sql, {
      catalog: sourceCatalog([source]),
      parameters: new Map(),
    });
    return newPlan({
      isCallers: false,
      sql,
      statement,
      columns: resultColumns(statement),
      parameters: new Map(),
    });
  } finally {
    await analyzer.close();
  }
}

async function request(sql: string, more: Partial<EngineRequest> = {}): Promise<EngineRequest> {
  const { signal } = new AbortController();
  return {
    ...{
      plan: await planned(sql),
      parameters: new Map(),
      maxRows: 1_000,
      signal,
      timeoutMs: 20_000,
      job: { labels: [] },
    },
    ...more,
  } as EngineRequest;
}

const row = (id: string, text = 'x') =>
  `${JSON.stringify({ id, timestamp: '2026-01-01T00:00:00Z', text })}\n`;

async function* bodyOf(...lines: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield Buffer.from(line);
}

const { signal } = new AbortController();
const add = (engine: EngineClient, body: AsyncIterable<Uint8Array>) =>
  engine.receive('logs', body, { skipBadRows: false, signal });

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** It counts for minutes. */
const endless =
  'SELECT COUNT(*) AS n FROM UNNEST(GENERATE_ARRAY(1, 1000000)) a, UNNEST(GENERATE_ARRAY(1, 1000000)) b WHERE MOD(a * b, 7) = 3';

describe('the engine in a process of its own', () => {
  test('takes rows, says what it holds, and answers', async () => {
    const engine = await startEngine();
    expect(await engine.origin()).toBeUndefined();
    expect(await add(engine, bodyOf(row('a'), row('b', 'ü'), row('a')))).toMatchObject({
      imported: 2,
      duplicates: 1,
    });
    expect(await engine.rowCounts()).toEqual(new Map([['logs', 2]]));
    expect(await engine.origin()).toBe('imported');
    expect(await engine.newest('logs')).toBe(BigInt(Date.UTC(2026, 0, 1)) * 1000n);
    const { rows, truncated, columns } = await engine.run(
      await request('SELECT id, text, [1, 2] AS n FROM logs.logs ORDER BY id'),
    );
    expect(columns.map(({ name }) => name)).toEqual(['id', 'text', 'n']);
    expect(await rows.all()).toEqual([
      ['a', 'x', [1n, 2n]],
      ['b', 'ü', [1n, 2n]],
    ]);
    expect(truncated).toBe(false);
  });

  test('sends a large result in chunks, and cuts it', async () => {
    const engine = await startEngine();
    const sql = "SELECT x, REPEAT('y', 500) AS y FROM UNNEST(GENERATE_ARRAY(1, 5000)) AS x ORDER BY x";
    for (const isKept of [true, false]) {
      const { rows, truncated } = await engine.run(await request(sql, { maxRows: 3_000, isKept }));
      expect([rows.count, truncated]).toEqual([3_000, true]);
      expect((await rows.all()).map(([x]) => x)).toEqual(
        Array.from({ length: 3_000 }, (_, i) => BigInt(i + 1)),
      );
    }
  });

  test('refuses what it cannot run, and says what is wrong with rows, by the same errors', async () => {
    const engine = await startEngine();
    await expect(engine.run(await request('SELECT 1 / 0 AS x'))).rejects.toMatchObject({
      code: 'QUERY_FAILED',
      message: expect.stringContaining('division by zero'),
    });
    await expect(
      engine.prepare(await planned('SELECT HLL_COUNT.INIT(id) AS k FROM logs.logs')),
    ).rejects.toMatchObject({
      code: 'QUERY_FAILED',
      message: expect.stringContaining('Not supported'),
      byteOffset: expect.any(Number),
    });
    await expect(add(engine, bodyOf('{"id": 1}\n'))).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  });

  test('ends a query that is cancelled', async () => {
    const engine = await startEngine();
    const controller = new AbortController();
    const pid = await engine.pid();
    const running = engine.run(await request(endless, { signal: controller.signal }));
    running.catch(() => {});
    await sleep(300);
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    expect(await engine.pid()).toBe(pid);
  });

  test('says that a store cannot be opened as one in this process would', async () => {
    const dataDir = await temporaryFolder();
    await startEngine({ dataDir });
    await expect(startEngine({ dataDir })).rejects.toMatchObject({ name: 'StoreError', kind: 'locked' });
  });

  test('is gone when it was closed', async () => {
    const engine = await startEngine();
    const pid = await engine.pid();
    await engine.close();
    expect(isRunning(pid)).toBe(false);
  });
});

describe('when its process is killed', () => {
  test('queries under way are answered by the next one, and nothing that was acknowledged is lost', async () => {
    const engine = await startEngine();
    await add(engine, bodyOf(row('a')));
    const pid = await engine.pid();
    const slow = engine.run(
      await request(
        'SELECT COUNT(*) AS n FROM logs.logs, UNNEST(GENERATE_ARRAY(1, 10000)) x, UNNEST(GENERATE_ARRAY(1, 10000)) y WHERE MOD(x, 2) = 1 AND MOD(y, 2) = 1',
      ),
    );
    await sleep(200);
    process.kill(pid, 'SIGKILL');
    expect(await (await slow).rows.all()).toEqual([[25_000_000n]]);
    expect(await engine.pid()).not.toBe(pid);
    expect(await engine.rowCounts()).toEqual(new Map([['logs', 1]]));
    expect(told.filter((line) => line.includes('The engine ended, and is started again'))).toHaveLength(1);
  });

  test('an upload under way fails, and leaves nothing', async () => {
    const engine = await startEngine();
    const pid = await engine.pid();
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
    await engine.pid();
    expect(await engine.rowCounts()).toEqual(new Map([['logs', 0]]));
  });

  test('an upload that waits until the process takes more fails as well', async () => {
    const engine = await startEngine();
    const pid = await engine.pid();
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

  test('what was under way is told to come again when no process can be started, and it is when one can', async () => {
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
    process.kill(await engine.pid(), 'SIGKILL');
    for (const query of running)
      await expect(query).rejects.toMatchObject({
        code: 'BACKEND_UNAVAILABLE',
        details: { retryAfterSeconds: 1 },
      });
    await rm(dataDir);
    await rename(`${dataDir}-elsewhere`, dataDir);
    await vi.waitFor(() => expect(engine.isReady).toBe(true), { timeout: 20_000, interval: 50 });
    expect(await engine.rowCounts()).toEqual(new Map([['logs', 1]]));
  });

  test('the next one finds its modules compiled', async () => {
    const cache = await temporaryFolder();
    vi.stubEnv('NODE_COMPILE_CACHE', cache);
    onTestFinished(() => void vi.unstubAllEnvs());
    const engine = await startEngine();
    // It is written some time after the start.
    await vi.waitFor(
      async () => expect((await readdir(cache, { recursive: true })).length).toBeGreaterThan(100),
      { timeout: 25_000, interval: 100 },
    );
    process.kill(await engine.pid(), 'SIGKILL');
    expect((await readdir(cache, { recursive: true })).length).toBeGreaterThan(100);
  });

  test('a query that meets the end of two processes is to blame, and refused for a while', async () => {
    const engine = await startEngine();
    const asked = await request(endless);
    const running = engine.run(asked);
    running.catch(() => {});
    const first = await engine.pid();
    await sleep(300);
    process.kill(first, 'SIGKILL');
    while ((await engine.pid()) === first) await sleep(10);
    await sleep(300);
    process.kill(await engine.pid(), 'SIGKILL');
    await expect(running).rejects.toMatchObject({ code: 'QUERY_FAILED' });
    await expect(engine.run(asked)).rejects.toThrow('The engine ended twice while it ran this query');
    await engine.pid();
    const other = await engine.run(await request('SELECT 1 AS one'));
    expect(await other.rows.all()).toEqual([[1n]]);
  });
});

describe('a process that ends while it is started', () => {
  /** Starts an engine whose program is another one. */
  async function startInstead(script: string) {
    const node = process.execPath;
    const program = path.join(await temporaryFolder(), 'program');
    await writeFile(program, `#!${node}\n${script}`, { mode: 0o700 });
    process.execPath = program;
    onTestFinished(() => {
      process.execPath = node;
    });
    return startEngine();
  }

  test('is told of with what it wrote', async () => {
    await expect(startInstead("console.error('no such module'); process.exitCode = 3")).rejects.toMatchObject(
      {
        name: 'GatewayError',
        message: "The engine can't be started: The engine ended while starting: code 3: no such module",
      },
    );
  });

  test('says nothing of what it was sent', async () => {
    const script = `require('node:net').connect(process.argv.at(-1)).on('data', () => {
      console.error('text of a caller');
      process.exit(3);
    });`;
    await expect(startInstead(script)).rejects.toMatchObject({
      name: 'GatewayError',
      message: "The engine can't be started: code 3",
    });
  });
});

test('a process that is stopped is not waited for by the close', async () => {
  const engine = await startEngine();
  const pid = await engine.pid();
  process.kill(pid, 'SIGSTOP');
  await engine.close();
  expect(isRunning(pid)).toBe(false);
  // It was not the watch that ended it, later.
  expect(told).toEqual([]);
});

test('a process that takes more memory than it may is ended', async () => {
  await startEngine({ memoryLimit: 1_000_000 });
  const deadline = Date.now() + 20_000;
  while (!told.some((line) => line.includes('of memory')) && Date.now() < deadline) await sleep(50);
  expect(told.join()).toMatch(/it took \d+ MB of memory, 1 MB are allowed/);
});
