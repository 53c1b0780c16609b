import { describe, expect, test } from 'vitest';
import type { Source } from '../../../../src/definitions/sources/source.ts';
import { batchOf, makeSource, openTestStore, readRows, temporaryFolder } from './support.ts';

const time = '2024-01-01T00:00:00Z';
const micros = 1704067200000000n;

const record = (...fields: object[]) => ({ name: 'm', type: 'RECORD', mode: 'REPEATED', fields });
const a = { name: 'a', type: 'STRING' };

/** A store that held `rows` under the first schema, opened again under the second. */
async function reopen(before: Source, after: Source, ...rows: object[]) {
  const dataDir = await temporaryFolder();
  const store = await openTestStore(dataDir, before);
  if (rows.length > 0) await store.append(before, batchOf(...rows), { origin: 'imported' });
  await store.close();
  return await openTestStore(dataDir, after);
}

describe('a schema that has grown', () => {
  test('gives the stored rows NULL in new columns, and empty lists in new repeated ones', async () => {
    const after = makeSource('s', { name: 'n', type: 'INT64' }, a, {
      name: 'l',
      type: 'STRING',
      mode: 'REPEATED',
    });
    const store = await reopen(makeSource('s', a), after, { id: '1', timestamp: time, a: 'x' });
    expect(await readRows(store, after)).toEqual([['1', micros, null, 'x', []]]);
  });

  test('grows nested records, at any place in them, keeping rows, order and NULLs', async () => {
    const inner = (...fields: object[]) => ({ name: 'r', type: 'RECORD', fields });
    const before = makeSource('s', record(a, inner({ name: 'b', type: 'INT64' })));
    const after = makeSource(
      's',
      record(
        { name: 'first', type: 'BOOL' },
        { name: 'A', type: 'STRING' },
        { name: 'list', type: 'BYTES', mode: 'REPEATED' },
        inner({ name: 'c', type: 'STRING' }, { name: 'b', type: 'INT64' }),
      ),
    );
    const store = await reopen(
      before,
      after,
      { id: '1', timestamp: time, m: [{ a: 'x', r: { b: 5 } }, { a: 'y' }] },
      { id: '2', timestamp: time, m: [] },
    );
    expect(await readRows(store, after, 'ORDER BY id')).toEqual([
      [
        '1',
        micros,
        [
          [null, 'x', [], [null, 5n]],
          [null, 'y', [], null],
        ],
      ],
      ['2', micros, []],
    ]);
    await store.append(after, batchOf({ id: '3', timestamp: time, m: [{ first: true, list: ['AA=='] }] }), {
      origin: 'imported',
    });
    expect((await readRows(store, after, 'ORDER BY id'))[2]).toEqual([
      '3',
      micros,
      [[true, null, ['AA=='], null]],
    ]);
  });

  test('may relax REQUIRED and change letter case without touching the table', async () => {
    const before = makeSource('s', { ...a, mode: 'REQUIRED' });
    const after = makeSource('s', { name: 'A', type: 'STRING' });
    const store = await reopen(before, after, { id: '1', timestamp: time, a: 'x' });
    expect(await readRows(store, after)).toEqual([['1', micros, 'x']]);
  });
});

describe('a schema that no longer fits the stored rows', () => {
  const row = { id: '1', timestamp: time, m: [{ a: 'x' }] };

  test.each([
    ['a removed column', [], 's.json: the column m was removed, but the store holds rows of s'],
    ['a removed field', [record({ name: 'b', type: 'STRING' })], 'the column m.a was removed'],
    [
      'another type',
      [record({ name: 'a', type: 'INT64' })],
      'the column m.a was changed from STRING to INT64',
    ],
    [
      'another mode',
      [{ ...record(a), mode: 'NULLABLE' }],
      'the column m was changed from REPEATED STRUCT to STRUCT',
    ],
    [
      'a new REQUIRED column',
      [record(a), { name: 'n', type: 'INT64', mode: 'REQUIRED' }],
      'the new column n',
    ],
    [
      'a tightened column',
      [record({ ...a, mode: 'REQUIRED' })],
      'the column m.a was NULLABLE and is REQUIRED',
    ],
    [
      'a type that cannot be stored',
      [record(a), { name: 'g', type: 'GEOGRAPHY' }],
      'the column g is of type GEOGRAPHY',
    ],
  ])('is refused for %s', async (_what, columns, message) => {
    await expect(reopen(makeSource('s', record(a)), makeSource('s', ...columns), row)).rejects.toThrow(
      expect.objectContaining({ kind: 'schema', message: expect.stringContaining(message) }),
    );
  });

  test('is reported for all sources together, and changes none of them', async () => {
    const dataDir = await temporaryFolder();
    const before = [makeSource('p', a), makeSource('q', a), makeSource('r', a)];
    const store = await openTestStore(dataDir, ...before);
    for (const source of before) {
      await store.append(source, batchOf({ id: '1', timestamp: time, a: 'x' }), { origin: 'imported' });
    }
    await store.close();
    const grown = makeSource('p', a, { name: 'b', type: 'STRING' });
    await expect(openTestStore(dataDir, grown, makeSource('q'), makeSource('r'))).rejects.toThrow(
      /^q\.json: the column a .*\nr\.json: the column a [^\n]*$/,
    );
    const [p] = before;
    if (p !== undefined) expect(await readRows(await openTestStore(dataDir, ...before), p)).toHaveLength(1);
  });

  test('does not matter while there are no rows', async () => {
    const after = makeSource('s', { name: 'a', type: 'INT64', mode: 'REQUIRED' });
    const store = await reopen(makeSource('s', a), after);
    await store.append(after, batchOf({ id: '1', timestamp: time, a: 7 }), { origin: 'imported' });
    expect(await readRows(store, after)).toEqual([['1', micros, 7n]]);
  });
});
