import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ConnectionPool } from '../../../../src/engines/duckdb/run/connection-pool.ts';
import { runInterruptibly } from '../../../../src/engines/duckdb/run/interruptible.ts';

let instance: DuckDBInstance;
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:');
});
afterAll(() => instance.closeSync());

const never = new AbortController().signal;

describe('the pool', () => {
  it('continues with the same connections after a failure', async () => {
    const pool = new ConnectionPool(() => instance.connect());
    const seen = new Set<DuckDBConnection>();
    const failing = pool.use(never, async (connection) => {
      seen.add(connection);
      await connection.run('select nope');
    });
    await expect(failing).rejects.toThrow();
    await pool.use(never, async (connection) => seen.add(connection));
    expect(seen.size).toBe(1);
    await pool.close();
    await expect(pool.use(never, async () => {})).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
  });

  it('is closed when the last connection was given back', async () => {
    const pool = new ConnectionPool(() => instance.connect());
    const work = Promise.withResolvers<string>();
    let closeSync: unknown;
    const running = pool.use(never, (connection) => {
      closeSync = vi.spyOn(connection, 'closeSync');
      return work.promise;
    });
    let isClosed = false;
    const closing = pool.close().then(() => {
      isClosed = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isClosed).toBe(false);
    work.resolve('done');
    expect(await running).toBe('done');
    await closing;
    expect(closeSync).toHaveBeenCalledTimes(1);
  });
});

describe('a query', () => {
  it('stops when its signal is aborted, with the reason of the signal, and leaves the connection usable', async () => {
    const connection = await instance.connect();
    const leaving = new AbortController();
    const running = runInterruptibly(
      connection,
      'select count(*) from range(1000000000) a, range(1000) b where a.range + b.range = -1',
      leaving.signal,
      () => {},
    );
    setTimeout(() => leaving.abort(new Error('gone')), 10);
    await expect(running).rejects.toThrow('gone');
    const rows: unknown[] = [];
    await runInterruptibly(connection, 'select 42', never, (chunk) => void rows.push(...chunk.getRows()));
    expect(rows).toEqual([[42]]);
    connection.closeSync();
  });
});

it('a result that nobody reads on gives back what was sorted for it', async () => {
  const [reading, looking] = [await instance.connect(), await instance.connect()];
  const stop = () => {
    throw new Error('enough');
  };
  const sorted = 'SELECT i, hash(i) AS h FROM range(2000000) t(i) ORDER BY h';
  await expect(runInterruptibly(reading, sorted, never, stop)).rejects.toThrow('enough');
  const held = await looking.runAndReadAll(
    'SELECT coalesce(sum(memory_usage_bytes), 0) FROM duckdb_memory()',
  );
  expect(Number(held.getRows()[0]?.[0])).toBeLessThan(5e6);
  expect((await reading.runAndReadAll('SELECT 42')).getRows()).toEqual([[42]]);
});
