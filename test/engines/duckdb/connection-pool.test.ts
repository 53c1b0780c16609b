import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConnectionPool } from '../../../src/engines/duckdb/connection-pool.ts';
import { runInterruptibly } from '../../../src/engines/duckdb/interruptible.ts';

let instance: DuckDBInstance;
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:');
});
afterAll(() => instance.closeSync());

const never = new AbortController().signal;

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

describe('the pool', () => {
  it('gives as many callers as it may a connection, the others as they came', async () => {
    let opened = 0;
    const pool = new ConnectionPool(
      () => {
        opened++;
        return instance.connect();
      },
      { maxConnections: 2, maxWaiting: 10 },
    );
    const order: number[] = [];
    const gates = [0, 1, 2, 3].map(gate);
    const runs = gates.map(({ opened: until }, index) =>
      pool.use(never, async () => {
        order.push(index);
        await until;
      }),
    );
    for (const [index, { open }] of gates.entries()) {
      open();
      await runs[index];
    }
    expect(order.filter((index) => index >= 2)).toEqual([2, 3]);
    expect(order).toHaveLength(4);
    expect(opened).toBe(2);
    pool.close();
  });

  it('refuses whoever comes when too many wait, and says when to come again', async () => {
    const pool = new ConnectionPool(() => instance.connect(), { maxConnections: 1, maxWaiting: 1 });
    const { opened, open } = gate();
    const first = pool.use(never, () => opened);
    const second = pool.use(never, async () => 'ran');
    await expect(pool.use(never, async () => {})).rejects.toMatchObject({
      code: 'OVERLOADED',
      details: { retryAfterSeconds: 1 },
    });
    open();
    await first;
    expect(await second).toBe('ran');
    pool.close();
  });

  it('lets a caller who has gone leave the queue', async () => {
    const pool = new ConnectionPool(() => instance.connect(), { maxConnections: 1, maxWaiting: 1 });
    const { opened, open } = gate();
    const first = pool.use(never, () => opened);
    const leaving = new AbortController();
    const second = pool.use(leaving.signal, async () => 'ran');
    leaving.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    const third = pool.use(never, async () => 'ran');
    open();
    await first;
    expect(await third).toBe('ran');
    pool.close();
  });

  it('goes on with the same connections after a failure', async () => {
    const pool = new ConnectionPool(() => instance.connect(), { maxConnections: 1, maxWaiting: 1 });
    const seen = new Set<DuckDBConnection>();
    const failing = pool.use(never, async (connection) => {
      seen.add(connection);
      await connection.run('select nope');
    });
    await expect(failing).rejects.toThrow();
    await pool.use(never, async (connection) => seen.add(connection));
    expect(seen.size).toBe(1);
    pool.close();
    await expect(pool.use(never, async () => {})).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
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
    );
    setTimeout(() => leaving.abort(new Error('gone')), 10);
    await expect(running).rejects.toThrow('gone');
    const reader = await runInterruptibly(connection, 'select 42', never);
    expect(reader.getRows()).toEqual([[42]]);
    connection.closeSync();
  });
});
