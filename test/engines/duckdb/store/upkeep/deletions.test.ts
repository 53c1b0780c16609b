import { expect, test } from 'vitest';
import type { RowKey } from '../../../../../src/engines/duckdb/store/upkeep/deletions.ts';
import { ingestBatch, micros, type TestRow } from '../ingest-batches.ts';
import { makeSource, openTestStore, readRows, temporaryFolder } from '../support.ts';

const source = makeSource('logs', {
  name: 'metadata',
  type: 'RECORD',
  mode: 'REPEATED',
  fields: [{ name: 'path', type: 'STRING', mode: 'NULLABLE' }],
});

const { signal } = new AbortController();
const two = [{ path: '/1' }, { path: '/2' }];

/** Rows of noon and of one o'clock, flat ones and others. */
const rows: readonly TestRow[] = ['12', '13'].flatMap((hour) => {
  const timestamp = `2026-01-01T${hour}:00:00Z`;
  return [
    { id: `flat ${hour}`, timestamp },
    { id: `lists ${hour}`, timestamp, metadata: two },
  ];
});

async function filledStore() {
  const store = await openTestStore(await temporaryFolder(), source);
  await store.ingest([ingestBatch(source, rows)]);
  return { store, ids: async () => (await readRows(store, source, 'ORDER BY id')).map(([id]) => id) };
}

async function* keysOf(...keys: readonly RowKey[]): AsyncGenerator<readonly RowKey[]> {
  for (const key of keys) yield [key];
}

test('rows before a time are counted and deleted, in both tables', async () => {
  const { store, ids } = await filledStore();
  const before = micros('2026-01-01T13:00:00Z');
  expect(await store.countBefore(source, before)).toBe(2);
  expect(await ids()).toHaveLength(4);
  expect(await store.deleteRows(source, { before }, signal)).toBe(2);
  expect(await ids()).toEqual(['flat 13', 'lists 13']);
  expect(await store.deleteRows(source, { before }, signal)).toBe(0);
});

test('rows are deleted by their ids and times', async () => {
  const { store, ids } = await filledStore();
  const keys = keysOf(
    { id: 'flat 12', timestamp: micros('2026-01-01T12:00:00Z') },
    { id: 'lists 13', timestamp: micros('2026-01-01T13:00:00Z') },
    { id: 'flat 13', timestamp: micros('2026-01-01T12:00:00Z') },
  );
  expect(await store.deleteRows(source, { keys }, signal)).toBe(2);
  expect(await ids()).toEqual(['flat 13', 'lists 12']);
});

test('an aborted deletion by keys deletes nothing, and neither do keys that fail', async () => {
  const { store, ids } = await filledStore();
  const aborted = AbortSignal.abort(new Error('enough'));
  const key = { id: 'flat 12', timestamp: micros('2026-01-01T12:00:00Z') };
  await expect(store.deleteRows(source, { keys: keysOf(key) }, aborted)).rejects.toThrow('enough');
  async function* failing(): AsyncGenerator<readonly RowKey[]> {
    yield [key];
    throw new Error('no more keys');
  }
  await expect(store.deleteRows(source, { keys: failing() }, signal)).rejects.toThrow('no more keys');
  expect(await ids()).toHaveLength(4);
});

test('a deleted row can be added again', async () => {
  const { store, ids } = await filledStore();
  await store.deleteRows(source, { before: micros('2027-01-01T00:00:00Z') }, signal);
  expect(await ids()).toEqual([]);
  expect(await store.ingest([ingestBatch(source, rows)])).toEqual([{ imported: 4, duplicates: 0 }]);
});
