import { describe, expect, onTestFinished, test } from 'vitest';
import type { FileRows } from '../../../../src/engines/duckdb/store/insert/file-rows.ts';
import type { RowBatch } from '../../../../src/engines/duckdb/store/insert/row-batch.ts';
import { openStore } from '../../../../src/engines/duckdb/store/open-store.ts';
import type { Store } from '../../../../src/engines/duckdb/store/store.ts';
import { allRowsSql } from '../../../../src/engines/duckdb/store/tables/row-table.ts';
import { shortageError } from '../../../../src/engines/duckdb/store/upkeep/shortage.ts';
import { batchOf, makeSource, openTestStore, readRows, temporaryFolder } from './support.ts';

const source = makeSource('logs', { name: 'n', type: 'INT64' });
const imported = { origin: 'imported' } as const;

const second = (s: number) => `2024-01-01T00:00:${String(s).padStart(2, '0')}Z`;
const row = (id: string, s: number, n: number | null = null) => ({ id, timestamp: second(s), n });

async function emptyStore() {
  return await openTestStore(await temporaryFolder(), source);
}

async function ids(store: Awaited<ReturnType<typeof emptyStore>>): Promise<unknown[]> {
  return (await readRows(store, source)).map(([id]) => id);
}

/** Batches that wait between the first and the second. */
function halting() {
  const resume = Promise.withResolvers<void>();
  const halted = Promise.withResolvers<void>();
  async function* batches(): AsyncGenerator<RowBatch> {
    yield* batchOf(row('a', 1));
    halted.resolve();
    await resume.promise;
    yield* batchOf(row('b', 2));
  }
  return { batches: batches(), halted: halted.promise, resume: resume.resolve, fail: resume.reject };
}

/** A file without rows of its own: all of them come in batches. */
function emptyFile(prepare: () => void): FileRows {
  const none = { columns: [], sql: 'SELECT NULL WHERE false' };
  const keys = 'SELECT \'\' AS id, now()::TIMESTAMP AS "timestamp", 0 AS ".place" WHERE false';
  return { prepare, rowCount: 0, keys, flat: none, lists: none, failure: (error) => error, onTaken() {} };
}

describe('adding rows', () => {
  test('puts them in timestamp order, whatever the order and the batches in which they come', async () => {
    const store = await emptyStore();
    async function* batches() {
      yield* batchOf(row('c', 3), row('a', 1));
      yield* batchOf(row('d', 4), row('b', 2));
    }
    expect(await store.append(source, batches(), imported)).toEqual({
      imported: 4,
      repeated: 0,
      alreadyThere: 0,
    });
    expect(await ids(store)).toEqual(['a', 'b', 'c', 'd']);
    expect(Object.fromEntries(await store.rowCounts())).toEqual({ logs: 4 });
  });

  test('takes the first row of each id, and none whose id the store has', async () => {
    const store = await emptyStore();
    await store.append(source, batchOf(row('a', 1, 1)), imported);
    const again = batchOf(row('b', 2, 2), row('a', 3, 3), row('b', 1, 4), row('a', 1, 5), row('b', 1, 6));
    expect(await store.append(source, again, imported)).toEqual({
      imported: 1,
      repeated: 3,
      alreadyThere: 1,
    });
    expect((await readRows(store, source)).map(([id, , n]) => [id, n])).toEqual([
      ['a', 1n],
      ['b', 2n],
    ]);
  });

  test('of nothing changes nothing', async () => {
    const store = await emptyStore();
    async function* batches() {}
    expect((await store.append(source, batches(), imported)).imported).toBe(0);
    expect(store.origin()).toBeUndefined();
  });

  test('leaves the store as it was when the batches fail', async () => {
    const store = await emptyStore();
    const { batches, halted, fail } = halting();
    const adding = store.append(source, batches, imported);
    await halted;
    fail(new Error('the line went dead'));
    await expect(adding).rejects.toThrow('the line went dead');
    expect(await ids(store)).toEqual([]);
    expect(store.origin()).toBeUndefined();
  });

  test('leaves the store as it was when it is aborted, even while a batch is awaited', async () => {
    const store = await emptyStore();
    const { batches, halted } = halting();
    const controller = new AbortController();
    const adding = store.append(source, batches, { ...imported, signal: controller.signal });
    await halted;
    controller.abort(new Error('the client left'));
    await expect(adding).rejects.toThrow('the client left');
    expect(await ids(store)).toEqual([]);
  });

  test('of one upload continues while another one is slow', async () => {
    const store = await emptyStore();
    const { batches, halted, resume } = halting();
    const slow = store.append(source, batches, imported);
    await halted;
    await store.append(source, batchOf(row('b', 5), row('c', 6)), imported);
    resume();
    expect(await slow).toEqual({ imported: 1, repeated: 0, alreadyThere: 1 });
    expect((await ids(store)).sort()).toEqual(['a', 'b', 'c']);
  });

  test('of a file that is aborted while it waits for another writer is not begun', async () => {
    const store = await emptyStore();
    const begun: string[] = [];
    const halting = Promise.withResolvers<void>();
    const halted = Promise.withResolvers<void>();
    const adding = (name: string, s: number, before = Promise.resolve(), signal?: AbortSignal) => {
      async function* batches() {
        halted.resolve();
        await before;
        yield* batchOf(row(name, s));
      }
      const file = emptyFile(() => void begun.push(name));
      return store.append(source, batches(), { ...imported, file, ...(signal && { signal }) });
    };
    const first = adding('a', 1, halting.promise);
    await halted.promise;
    const controller = new AbortController();
    const aborted = adding('b', 2, undefined, controller.signal);
    const refused = expect(aborted).rejects.toThrow('the client left');
    const last = adding('c', 3);
    controller.abort(new Error('the client left'));
    halting.resolve();
    await Promise.all([first, refused, last]);
    expect(begun).toEqual(['a', 'c']);
    expect(await ids(store)).toEqual(['a', 'c']);
  });

  test('by many at a time gives every id once', async () => {
    const store = await emptyStore();
    const uploads = Array.from({ length: 8 }, (_, k) =>
      store.append(
        source,
        batchOf(row(`own ${k}`, k), row('shared', 30), row(`pair ${k >> 1}`, 40)),
        imported,
      ),
    );
    const results = await Promise.all(uploads);
    expect(results.reduce((sum, result) => sum + result.imported, 0)).toBe(8 + 1 + 4);
    expect(new Set(await ids(store)).size).toBe(13);
    expect(await ids(store)).toHaveLength(13);
  });

  test('shows nothing of them to a reader before they are all there', async () => {
    const store = await emptyStore();
    const reader = await store.connect();
    onTestFinished(() => reader.closeSync());
    await reader.run('BEGIN');
    const count = async () =>
      (await reader.runAndReadAll(`SELECT count(*) FROM ${allRowsSql(source)}`)).value(0, 0);
    expect(await count()).toBe(0n);
    await store.append(source, batchOf(row('a', 1)), imported);
    expect(await count()).toBe(0n);
    await reader.run('COMMIT');
    expect(await count()).toBe(1n);
  });
});

describe('the origin of rows', () => {
  test('lets no demo rows into a store that holds others', async () => {
    const store = await emptyStore();
    await store.append(source, batchOf(row('a', 1)), { origin: 'demo' });
    await store.append(source, batchOf(row('b', 2)), { origin: 'demo' });
    await store.append(source, batchOf(row('a', 1)), imported);
    expect(store.origin()).toBe('demo');
    await store.append(source, batchOf(row('c', 3)), imported);
    expect(store.origin()).toBe('imported');
    await expect(store.append(source, batchOf(row('d', 4)), { origin: 'demo' })).rejects.toThrow(
      expect.objectContaining({ code: 'FORBIDDEN' }),
    );
    expect(await ids(store)).toEqual(['a', 'b', 'c']);
  });
});

describe('closing a store', () => {
  test('ends uploads without committing them, and gives the file free', async () => {
    const dataDir = await temporaryFolder();
    const store = await openTestStore(dataDir, source);
    const { batches, halted } = halting();
    const adding = store.append(source, batches, imported);
    const refused = expect(adding).rejects.toThrow(expect.objectContaining({ code: 'BACKEND_UNAVAILABLE' }));
    await halted;
    await store.close();
    await refused;
    await expect(store.append(source, batchOf(row('a', 1)), imported)).rejects.toThrow('closing');
    await expect(store.connect()).rejects.toThrow('closing');
    expect(await ids(await openTestStore(dataDir, source))).toEqual([]);
  });
});

test('a write that fails for want of room is neither a defect nor the fault of the rows', async () => {
  const lines: string[] = [];
  const add = (message: string) => void lines.push(message);
  const log = { info: add, warn: add, error: add };
  const dataDir = await temporaryFolder();
  const store = await openStore({ dataDir, sources: [source], memoryLimit: '20MB', threads: 1, log });
  onTestFinished(() => store.close());
  const huge = batchOf({ ...row('a', 1), id: 'x'.repeat(30_000_000) });
  await expect(store.append(source, huge, imported)).rejects.toThrow(
    expect.objectContaining({ code: 'BACKEND_UNAVAILABLE', message: expect.stringContaining('more memory') }),
  );
  expect(lines).toEqual(['rows could not be added']);

  const full = new Error(
    'TransactionContext Error: Failed to commit: … store.duckdb.wal": No space left on device',
  );
  expect(shortageError(full)).toMatchObject({
    message: 'The store cannot add the rows: its disk is full.',
    details: { retryAfterSeconds: 10 },
  });
  expect(shortageError(new Error('Constraint Error'))).toBeUndefined();
});

test('a store that DuckDB has invalidated refuses rows with that reason until it is opened again', async () => {
  const lines: string[] = [];
  const add = (message: string) => void lines.push(message);
  const log = { info: add, warn: add, error: add };
  const options = { sources: [source], memoryLimit: '100MB', threads: 1, log };
  const fatal = new Error(
    'FATAL Error: Failed: database has been invalidated because of a previous fatal error. … No space left on device',
  );
  const ways: Record<string, (store: Store) => Promise<unknown>> = {
    'when rows are added': (store) => store.append(source, failing(fatal), imported),
    'when rows are read': async (store) => {
      const connection = await store.connect();
      return store.read(connection, () => Promise.reject(fatal)).finally(() => connection.closeSync());
    },
  };
  for (const lose of Object.values(ways)) {
    const dataDir = await temporaryFolder();
    const store = await openStore({ dataDir, ...options });
    expect(store.hasFailed).toBe(false);
    await expect(lose(store)).rejects.toThrow();
    expect(store.hasFailed).toBe(true);
    await expect(store.append(source, batchOf(row('a', 1)), imported)).rejects.toThrow(
      expect.objectContaining({
        code: 'BACKEND_UNAVAILABLE',
        message: expect.stringContaining('must be reopened'),
      }),
    );
    await store.close();
    const again = await openStore({ dataDir, ...options });
    onTestFinished(() => again.close());
    expect(again.hasFailed).toBe(false);
  }
  expect(lines.filter((line) => line.startsWith('the store has failed'))).toHaveLength(2);
});

async function* failing(error: Error): AsyncGenerator<RowBatch> {
  yield* batchOf(row('b', 1));
  throw error;
}
