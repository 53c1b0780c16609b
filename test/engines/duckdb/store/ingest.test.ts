import { expect, test } from 'vitest';
import type { Source } from '../../../../src/definitions/sources/source.ts';
import type { Store } from '../../../../src/engines/duckdb/store/store.ts';
import { ingestBatch, micros } from './ingest-batches.ts';
import { batchOf, makeSource, openTestStore, readRows, temporaryFolder } from './support.ts';

const source = makeSource(
  'logs',
  { name: 'n', type: 'INT64' },
  { name: 'ok', type: 'BOOL' },
  {
    name: 'metadata',
    type: 'RECORD',
    mode: 'REPEATED',
    fields: [{ name: 'path', type: 'STRING', mode: 'NULLABLE' }],
  },
);
const other = makeSource('other');

const noon = '2026-01-01T12:00:00Z';
const later = '2026-01-01T12:00:01Z';

async function idsIn(store: Store, of: Source): Promise<unknown[]> {
  return (await readRows(store, of, 'ORDER BY id')).map(([id]) => id);
}

test('requests that arrive together are in the store when they are acknowledged, each with its own counts', async () => {
  const store = await openTestStore(await temporaryFolder(), source, other);
  const counts = await Promise.all([
    store.ingest([
      ingestBatch(source, [
        { id: 'a', timestamp: noon, n: 1, ok: true },
        { id: 'b', timestamp: noon },
      ]),
    ]),
    store.ingest([
      ingestBatch(source, [
        { id: 'b', timestamp: noon },
        { id: 'c', timestamp: later, ok: false, metadata: [{ path: '/c' }] },
      ]),
      ingestBatch(other, [{ id: 'a', timestamp: noon }]),
    ]),
  ]);
  expect(counts).toEqual([
    [{ imported: 2, duplicates: 0 }],
    [
      { imported: 1, duplicates: 1 },
      { imported: 1, duplicates: 0 },
    ],
  ]);
  expect(await readRows(store, source, 'ORDER BY id')).toEqual([
    ['a', micros(noon), 1n, true, []],
    ['b', micros(noon), null, null, []],
    ['c', micros(later), null, false, [['/c']]],
  ]);
  expect(await idsIn(store, other)).toEqual(['a']);
  expect(store.origin()).toBe('imported');
});

test('rows without a flat form are stored beside the others, and recognised again', async () => {
  const store = await openTestStore(await temporaryFolder(), source);
  const rows = [
    { id: 'two', timestamp: noon, metadata: [{ path: '/1' }, { path: '/2' }] },
    { id: 'strange', timestamp: noon, metadata: [{ path: 'a\u001fb\u0000' }] },
    { id: 'plain', timestamp: noon },
  ];
  expect(await store.ingest([ingestBatch(source, rows)])).toEqual([{ imported: 3, duplicates: 0 }]);
  expect(await store.ingest([ingestBatch(source, rows)])).toEqual([{ imported: 0, duplicates: 3 }]);
  expect(await readRows(store, source, 'ORDER BY id')).toEqual([
    ['plain', micros(noon), null, null, []],
    ['strange', micros(noon), null, null, [['a\u001fb\u0000']]],
    ['two', micros(noon), null, null, [['/1'], ['/2']]],
  ]);
});

test('a batch that is sent again adds nothing, also after a restart, and beside new and imported rows', async () => {
  const dataDir = await temporaryFolder();
  const first = await openTestStore(dataDir, source);
  await first.append(source, batchOf({ id: 'imported', timestamp: '2026-01-01T12:00:00' }), {
    origin: 'imported',
  });
  await first.ingest([ingestBatch(source, [{ id: 'a', timestamp: noon }])]);
  await first.close();
  const store = await openTestStore(dataDir, source);
  const again = ingestBatch(source, [
    { id: 'a', timestamp: noon },
    { id: 'imported', timestamp: noon },
    { id: 'b', timestamp: later },
  ]);
  expect(await store.ingest([again])).toEqual([{ imported: 1, duplicates: 2 }]);
  expect(await idsIn(store, source)).toEqual(['a', 'b', 'imported']);
});

test('rows far apart in one batch are recognised without their times between', async () => {
  const store = await openTestStore(await temporaryFolder(), source);
  const rows = Array.from({ length: 30 }, (_, day) => ({
    id: String(day),
    timestamp: `2026-01-${String(day + 1).padStart(2, '0')}T12:00:00.123456Z`,
  }));
  await store.ingest([ingestBatch(source, rows)]);
  expect(await store.ingest([ingestBatch(source, rows)])).toEqual([{ imported: 0, duplicates: 30 }]);
});

test('a row with a time of arrival is recognised by its former id up to ten minutes later', async () => {
  const store = await openTestStore(await temporaryFolder(), source);
  await store.ingest([ingestBatch(source, [{ id: 'before', timestamp: noon }], { madeTimes: true })]);
  const again = ingestBatch(source, [{ id: 'after', timestamp: '2026-01-01T12:09:59Z' }], {
    madeTimes: true,
    formerIds: 'before',
  });
  expect(await store.ingest([again])).toEqual([{ imported: 0, duplicates: 1 }]);
  expect(await idsIn(store, source)).toEqual(['before']);
});

test('a request that cannot be stored does not take others with it', async () => {
  const store = await openTestStore(await temporaryFolder(), source);
  const good = ingestBatch(source, [{ id: 'good', timestamp: noon }]);
  const bad = ingestBatch(makeSource('missing'), [{ id: 'bad', timestamp: noon }]);
  const [first, second] = await Promise.allSettled([store.ingest([bad]), store.ingest([good])]);
  expect(first.status).toBe('rejected');
  expect(second.status).toBe('fulfilled');
  expect(await idsIn(store, source)).toEqual(['good']);
});

test('a closing store refuses the waiting requests', async () => {
  const store = await openTestStore(await temporaryFolder(), source);
  const waiting = store.ingest([ingestBatch(source, [{ id: 'a', timestamp: noon }])]);
  waiting.catch(() => undefined);
  await store.close();
  await expect(waiting).rejects.toThrow('the store is closing');
  await expect(store.ingest([ingestBatch(source, [])])).rejects.toThrow('the store is closing');
});

test('what the gateway itself records is not imported: made-up rows may be beside it', async () => {
  const own = makeSource('gateway.calls');
  const store = await openTestStore(await temporaryFolder(), source, own);
  await store.ingest([ingestBatch(own, [{ id: 'a', timestamp: noon }])]);
  expect(store.origin()).not.toBe('imported');
  await store.ingest([
    ingestBatch(own, [{ id: 'b', timestamp: noon }]),
    ingestBatch(source, [{ id: 'a', timestamp: noon }]),
  ]);
  expect(store.origin()).toBe('imported');
});
