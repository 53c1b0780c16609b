import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isRunning } from '../../acceptance/support/processes.ts';
import { makeSource, temporaryFolder } from '../../engines/duckdb/store/support.ts';
import { add, bodyOf, endless, engineProcess, row } from './support/engine-process.ts';

const { request, startEngine } = engineProcess();

describe('the engine in a process of its own', () => {
  test('takes rows, says what it holds, and answers', async () => {
    const engine = await startEngine();
    expect(await engine.rows.origin()).toBeUndefined();
    expect(await add(engine, bodyOf(row('a'), row('b', 'ü'), row('a')))).toMatchObject({
      imported: 2,
      duplicates: 1,
    });
    expect(await engine.rows.rowCounts()).toEqual(new Map([['logs', 2]]));
    expect(await engine.rows.origin()).toBe('imported');
    expect(await engine.rows.newest('logs')).toBe(BigInt(Date.UTC(2026, 0, 1)) * 1000n);
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

  test('gives the store other sources, which a process that replaces it has as well', async () => {
    const engine = await startEngine();
    await add(engine, bodyOf(row('a')));
    const grown = makeSource('logs', { name: 'text', type: 'STRING' }, { name: 'n', type: 'INT64' });
    await engine.process.useSources([grown]);
    const addTo = (line: object) =>
      add(engine, bodyOf(`${JSON.stringify({ timestamp: '2026-01-01T00:00:00Z', ...line })}\n`));
    expect(await addTo({ id: 'b', n: 1 })).toMatchObject({ imported: 1 });
    // Without the column, whose values stay.
    await engine.process.useSources([makeSource('logs', { name: 'text', type: 'STRING' })]);
    await expect(addTo({ id: 'x', n: 1 })).rejects.toThrow('n: unknown field');
    await engine.process.useSources([grown]);
    const pid = await engine.process.pid();
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isRunning(pid)).toBe(false);
    await expect
      .poll(() => addTo({ id: 'c', n: 2 }).catch(String), { timeout: 20_000 })
      .toMatchObject({
        duplicates: 0,
      });
    expect(await engine.rows.rowCounts()).toEqual(new Map([['logs', 3]]));
  });

  test('sends a large result in chunks, and cuts it', async () => {
    const engine = await startEngine();
    const sql = "SELECT x, REPEAT('y', 500) AS y FROM UNNEST(GENERATE_ARRAY(1, 5000)) AS x ORDER BY x";
    for (const isCacheable of [true, false]) {
      const { rows, truncated } = await engine.run(await request(sql, { maxRows: 3_000, isCacheable }));
      expect([rows.count, truncated]).toEqual([3_000, true]);
      expect((await rows.all()).map(([x]) => x)).toEqual(
        Array.from({ length: 3_000 }, (_, i) => BigInt(i + 1)),
      );
    }
  });

  test('streams a result of any size, and waits for its reader', async () => {
    const engine = await startEngine();
    const count = 60_000;
    const sql = `SELECT x, REPEAT('y', 500) AS y FROM UNNEST(GENERATE_ARRAY(1, ${count})) AS x`;
    let taken = 0;
    const end = await engine.stream(await request(sql, { maxRows: 50_000 }), async (rows) => {
      taken += rows.length;
      if (taken % 7 === 0) await sleep(1);
    });
    expect([taken, end.truncated]).toEqual([50_000, true]);
  });

  test('ends a stream whose reader fails, and goes on', async () => {
    const engine = await startEngine();
    const pid = await engine.process.pid();
    const taking = engine.stream(
      await request(`SELECT REPEAT('y', 500) AS y FROM UNNEST(GENERATE_ARRAY(1, 100000)) AS x`, {
        maxRows: 1_000_000,
      }),
      () => Promise.reject(new Error('the reader has left')),
    );
    await expect(taking).rejects.toThrow('the reader has left');
    expect(await (await engine.run(await request('SELECT 1 AS n'))).rows.all()).toEqual([[1n]]);
    expect(await engine.process.pid()).toBe(pid);
  });

  test('fails a stream half-way by the error of its query', async () => {
    const engine = await startEngine();
    let taken = 0;
    const sql = 'SELECT 1 / (90000 - x) AS y FROM UNNEST(GENERATE_ARRAY(1, 100000)) AS x';
    const streaming = engine.stream(await request(sql, { maxRows: 1_000_000 }), (rows) => {
      taken += rows.length;
    });
    await expect(streaming).rejects.toMatchObject({ code: 'QUERY_FAILED' });
    expect(taken).toBeLessThan(100_000);
  });

  test('refuses what it cannot run, and says what is wrong with rows, by the same errors', async () => {
    const engine = await startEngine();
    await expect(engine.run(await request('SELECT 1 / 0 AS x'))).rejects.toMatchObject({
      code: 'QUERY_FAILED',
      message: expect.stringContaining('division by zero'),
    });
    await expect(
      engine.prepare((await request('SELECT ST_GEOGPOINT(1, 2) IS NULL AS k FROM logs.logs')).plan),
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
    const pid = await engine.process.pid();
    const running = engine.run(await request(endless, { signal: controller.signal }));
    running.catch(() => {});
    await sleep(300);
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    expect(await engine.process.pid()).toBe(pid);
  });

  const pad = (text: string) => `RPAD(CAST(x AS STRING), 1000, '${text}')`;
  test.each([
    `EDIT_DISTANCE(${pad('a')}, ${pad('g')})`,
    `LENGTH(REGEXP_REPLACE(${pad('abc')}, r'((?:a?){100})b', r'\\1x'))`,
    `LENGTH(NORMALIZE_AND_CASEFOLD(REPEAT(${pad('ä')}, 20), NFKC))`,
  ])('ends %s for everybody’s rows, and no other query with it', async (slow) => {
    const engine = await startEngine();
    const pid = await engine.process.pid();
    const controller = new AbortController();
    const sql = `SELECT MAX(${slow}) AS y FROM UNNEST(GENERATE_ARRAY(1, 200000)) AS x`;
    const running = engine.run(await request(sql, { signal: controller.signal }));
    running.catch(() => {});
    await sleep(500);
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    expect(await (await engine.run(await request('SELECT 1 AS n'))).rows.all()).toEqual([[1n]]);
    expect(await engine.process.pid()).toBe(pid);
  });

  test('says that a store cannot be opened as one in this process would', async () => {
    const dataDir = await temporaryFolder();
    await startEngine({ dataDir });
    await expect(startEngine({ dataDir })).rejects.toMatchObject({ name: 'StoreError', kind: 'locked' });
  });

  test('is gone when it was closed', async () => {
    const engine = await startEngine();
    const pid = await engine.process.pid();
    await engine.close();
    expect(isRunning(pid)).toBe(false);
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

  test('is logged with its standard error', async () => {
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
